import { raw } from 'hono/html'
import { checkLabel } from '../../../core/alerts/alert.js'
import type { Check } from '../../../core/checks/check.js'
import type { TimelinePing } from '../../../core/checks/history/timeline.js'
import type { DiffLine } from '../../../core/text/output/line-diff.js'
import { plural } from '../../../core/text/plural.js'
import { runLength } from '../../../core/time/duration.js'
import { exactWords } from '../../../core/time/instant.js'
import { Duration } from '../../components/duration.js'
import { Button } from '../../components/forms/button.js'
import { PageHead } from '../../components/page-head.js'
import { pingWords, sourceWords } from '../../components/pings/timeline.js'
import { Time } from '../../components/time.js'
import { escapeHtml } from '../../escape-html.js'
import { Layout } from '../../layout.js'
import { link, type PageContext, zoneOf } from '../../page-context.js'
import { checkPage } from '../../site-pages.js'

/** A run by the ping that ended it. */
export interface ComparedRun {
  ping: Omit<TimelinePing, 'preview' | 'bodySize'>
  bodySize: number
}

/** The difference of the outputs, or why there is none. */
export type OutputDiff = { lines: readonly DiffLine[]; isCut: boolean } | 'binary' | 'unavailable'

interface Props {
  page: PageContext
  check: Check
  /** The last runs that ended, newest first, to choose from. */
  choices: readonly { n: number; at: number; words: string }[]
  /** Null if there are not two runs yet. */
  runs: { a: ComparedRun; b: ComparedRun; diff: OutputDiff } | null
}

/** Two runs of a check side by side, and the difference of their outputs. The address has both. */
export function ComparePage({ page, check, choices, runs }: Props) {
  const action = link(page, `/checks/${check.uuid}/compare/`)
  return (
    <Layout
      title={`Compare runs of ${checkLabel(check)}`}
      page={page}
      section="checks"
      parent={checkPage(check)}
    >
      <PageHead title="Compare two runs" />
      {runs === null ? (
        <p>There are no two runs in the log yet.</p>
      ) : (
        <>
          <form class="compare-choice" method="get" action={action}>
            <RunChoice name="a" label="Run" n={runs.a.ping.n} choices={choices} page={page} />
            <RunChoice name="b" label="with" n={runs.b.ping.n} choices={choices} page={page} />
            <Button>Compare</Button>
          </form>
          <Facts page={page} check={check} a={runs.a} b={runs.b} />
          <section class="section">
            <h2>Output</h2>
            <Difference diff={runs.diff} />
          </section>
        </>
      )}
    </Layout>
  )
}

type ChoiceProps = Pick<Props, 'page' | 'choices'> & { name: string; label: string; n: number }

function RunChoice({ page, name, label, n, choices }: ChoiceProps) {
  const isListed = choices.some(choice => choice.n === n)
  return (
    <label>
      {label}{' '}
      <select name={name}>
        {isListed ? null : (
          <option value={n} selected>
            #{n}
          </option>
        )}
        {choices.map(choice => (
          <option value={choice.n} selected={choice.n === n}>
            {`#${choice.n}, ${exactWords(choice.at, zoneOf(page))}: ${choice.words}`}
          </option>
        ))}
      </select>
    </label>
  )
}

type FactsProps = Pick<Props, 'page' | 'check'> & { a: ComparedRun; b: ComparedRun }

function Facts({ page, check, a, b }: FactsProps) {
  const both = [a, b]
  const rows = [
    { name: 'Ended', of: ({ ping }: ComparedRun) => <Time page={page} at={ping.at} show="exact" /> },
    {
      name: 'Result',
      of: ({ ping }: ComparedRun) => <span class={`kind-${ping.action}`}>{pingWords(ping)}</span>,
    },
    { name: 'Took', of: ({ ping }: ComparedRun) => <Duration ms={ping.durationMs} /> },
    { name: 'Run ID', of: ({ ping }: ComparedRun) => (ping.rid ? <code>{ping.rid}</code> : '–') },
    { name: 'Source', of: ({ ping }: ComparedRun) => sourceWords(ping) },
    {
      name: 'Output',
      of: ({ bodySize }: ComparedRun) => (bodySize === 0 ? 'none' : plural(bodySize, 'byte')),
    },
  ]
  const difference = durationDifference(a.ping.durationMs, b.ping.durationMs)
  return (
    <table class="compared">
      <thead>
        <tr>
          <td />
          {both.map(({ ping }) => (
            <th scope="col">
              <a href={link(page, `/checks/${check.uuid}/pings/${ping.n}/`)}>Ping #{ping.n}</a>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, of }) => (
          <tr>
            <th scope="row">{name}</th>
            <td>{of(a)}</td>
            <td>
              {of(b)}
              {name === 'Took' && difference !== null ? <span class="under"> {difference}</span> : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** From this difference on (%) a share says nothing more. */
const MOST_PERCENT = 1_000

/** From the first to the second: `2 min longer, +17 %`; null if one is not known. */
export function durationDifference(a: number | null, b: number | null): string | null {
  if (a === null || b === null) return null
  if (a === b) return 'the same'
  const percent = a > 0 ? Math.round((100 * (b - a)) / a) : null
  const share =
    percent === null || percent > MOST_PERCENT
      ? ''
      : `, ${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent)}\u00a0%`
  return `${runLength(Math.abs(b - a))} ${b > a ? 'longer' : 'shorter'}${share}`
}

function Difference({ diff }: { diff: OutputDiff }) {
  if (diff === 'unavailable') return <p class="muted">An output cannot be read at the moment.</p>
  if (diff === 'binary') return <p class="muted">An output is binary: only texts are compared.</p>
  const { lines, isCut } = diff
  const count = (kind: DiffLine['kind']) => lines.filter(line => line.kind === kind).length
  const [removed, added] = [count('removed'), count('added')]
  return (
    <>
      <p class="muted">
        {lines.length === 0
          ? 'Neither run has an output.'
          : removed + added === 0
            ? 'Both outputs are the same.'
            : `${plural(removed, 'line')} only in the first, ${plural(added, 'line')} only in the second.`}
        {isCut ? ' Only the beginning of the outputs is compared.' : ''}
      </p>
      {removed + added === 0 ? null : (
        <div class="view">
          <pre class="diff" tabindex={0}>
            {raw(diffHtml(lines))}
          </pre>
        </div>
      )}
    </>
  )
}

/** The number of equal lines that are shown before and after a difference. */
const CONTEXT = 3
const SIGNS = { same: ' ', removed: '−', added: '+' }

/** The lines near differences; the others are counted. */
function diffHtml(lines: readonly DiffLine[]): string {
  const isNear = new Uint8Array(lines.length)
  for (const [index, { kind }] of lines.entries()) {
    if (kind !== 'same') isNear.fill(1, Math.max(0, index - CONTEXT), index + CONTEXT + 1)
  }
  let [html, skipped] = ['', 0]
  const flush = () => {
    if (skipped > 0) html += `<span class="diff-gap">${plural(skipped, 'equal line')}\n</span>`
    skipped = 0
  }
  for (const [index, { kind, text }] of lines.entries()) {
    if (isNear[index] === 0) {
      skipped += 1
      continue
    }
    flush()
    html += `<span class="diff-${kind}">${SIGNS[kind]} ${escapeHtml(text)}\n</span>`
  }
  flush()
  return html
}
