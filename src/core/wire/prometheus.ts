/** A project's checks as Prometheus metrics. Source: docs/behaviour.md, section 4.9. */
import { type Status, tagList } from '../checks/check.js'

export interface MeasuredCheck {
  name: string
  tags: string
  uniqueKey: string
  status: Status
  started: boolean
}

/** The text of all metric families. `checks` are in the order of their creation. */
export function prometheusText(checks: readonly MeasuredCheck[]): string {
  const perCheck = (name: string, help: string, isOne: (check: MeasuredCheck) => boolean) =>
    family(
      name,
      help,
      checks.map(check => `${name}${labelsOf(check)} ${isOne(check) ? 1 : 0}`),
    )
  const down = checks.filter(check => check.status === 'down')
  const downTags = new Set(down.flatMap(check => tagList(check.tags)))
  const tags = [...new Set(checks.flatMap(check => tagList(check.tags)))].sort()
  return [
    perCheck('hc_check_up', 'Whether the check is not down.', check => check.status !== 'down'),
    perCheck('hc_check_started', 'Whether a run of the check is under way.', check => check.started),
    perCheck('hc_check_grace', 'Whether the check is late.', check => check.status === 'grace'),
    perCheck('hc_check_paused', 'Whether the check is paused.', check => check.status === 'paused'),
    family(
      'hc_tag_up',
      'Whether no check with the tag is down.',
      tags.map(tag => `hc_tag_up{tag="${escaped(tag)}"} ${downTags.has(tag) ? 0 : 1}`),
    ),
    family('hc_checks_total', 'The number of checks.', [`hc_checks_total ${checks.length}`]),
    family('hc_checks_down_total', 'The number of checks that are down.', [
      `hc_checks_down_total ${down.length}`,
    ]),
  ].join('\n')
}

function family(name: string, help: string, samples: string[]): string {
  return `${[`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...samples].join('\n')}\n`
}

function labelsOf({ name, tags, uniqueKey }: MeasuredCheck): string {
  return `{name="${escaped(name)}", tags="${escaped(tags)}", unique_key="${uniqueKey}"}`
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
