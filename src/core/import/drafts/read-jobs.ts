/** Crontabs and systemd timers as text: the jobs that `punctual discover` finds, as a file of configuration. */
import { planCrontab } from '../../discover/plan-crontab.js'
import { planTimer, serviceOf } from '../../discover/plan-timer.js'
import type { ProposedCheck } from '../../discover/proposed-check.js'
import { type CrontabFormat, guessFormat } from '../../discover/read-crontab.js'
import { Draft, scheduleField } from './draft.js'

export interface JobSource {
  /** The name of the machine, or empty. */
  host: string
  /** The zone of the machine: canonical. */
  tz: string
  /** The current instant, in ms. */
  now: number
}

/** A draft of the jobs of a crontab; the format is guessed unless it is given. */
export function readCrontabText(
  text: string,
  source: JobSource,
  format: CrontabFormat = guessFormat(text),
): Draft {
  const draft = new Draft()
  for (const { line, text: job, check, reason } of planCrontab(text, {
    ...source,
    taken: new Set(),
    format,
  })) {
    if (check === null) draft.note(`line ${line}`, `It was left out: ${reason}. (${job.trim()})`)
    else addProposed(draft, check)
  }
  return draft
}

/** A draft of the timers in what `systemctl cat '*.timer' '*.service'` prints: files, each under its path in a comment. */
export function readTimersText(text: string, source: JobSource): Draft {
  const draft = new Draft()
  const units = new Map<string, string>()
  let unit: string | null = null
  for (const line of text.split(/\r?\n/)) {
    const heading = unitOf(line)
    if (heading !== null) unit = heading
    else if (unit !== null) units.set(unit, `${units.get(unit) ?? ''}${line}\n`)
  }
  const timers = [...units].filter(([name]) => name.endsWith('.timer'))
  if (timers.length === 0)
    draft.note(
      'the text',
      'It has no timer. Expected is what systemctl cat prints, with the path above each file.',
    )
  const taken = new Set<string>()
  for (const [unitName, timer] of timers) {
    const name = unitName.slice(0, -'.timer'.length)
    const named = serviceOf(name, timer)
    const service = units.get(named)
    // Without the text of the service, nothing is known that would keep it from pinging.
    const files = { name, timer, service: service ?? '[Service]\n', dropIn: null }
    const planned = planTimer(files, { ...source, taken })
    if (planned.check === null) draft.note(unitName, `It was left out: ${planned.reason}.`)
    else {
      const key = addProposed(draft, planned.check)
      if (service === undefined)
        draft.note(key, `${named} is not in the text, so whether it can ping is unknown.`)
    }
  }
  return draft
}

/** The unit that a drop-in or a file belongs to, if the line is the heading of one. */
function unitOf(line: string): string | null {
  const dropIn = /^# \/\S+\/([^\s/]+\.(?:timer|service))\.d\/[^\s/]+\.conf$/.exec(line)?.[1]
  return dropIn ?? /^# (?:\/\S+\/)?([^\s/]+\.(?:timer|service))$/.exec(line)?.[1] ?? null
}

function addProposed(draft: Draft, { name, slug, period, schedule, tz, grace, tags }: ProposedCheck): string {
  const timing = schedule === null ? { period } : scheduleField(schedule)
  return draft.addCheck(slug, {
    name,
    ...(typeof timing === 'string' ? {} : timing),
    timezone: tz,
    grace,
    tags: tags.split(' '),
  })
}
