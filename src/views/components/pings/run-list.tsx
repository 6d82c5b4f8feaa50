import { raw } from 'hono/html'
import type { Check } from '../../../core/checks/check.js'
import type { TimelinePing } from '../../../core/checks/history/timeline.js'
import { runLimitMs } from '../../../core/checks/status.js'
import { foldedFailures } from '../../../core/pings/equal-failures.js'
import { type MissedOccurrence, placeOf, type RunEntry } from '../../../core/pings/run-entries.js'
import type { LedgerRun } from '../../../core/pings/run-ledger.js'
import { firstLine } from '../../../core/text/output/plain-output.js'
import { dayAt } from '../../../core/time/calendar.js'
import { periodWords } from '../../../core/time/duration.js'
import { dayWords } from '../../../core/time/instant.js'
import { RecentMap } from '../../../lib/recent-map.js'
import { link, type PageContext, zoneOf } from '../../page-context.js'
import { Duration } from '../duration.js'
import { Elapsed } from '../elapsed.js'
import { Time } from '../time.js'
import { byDay, DayHead } from './by-day.js'
import { EqualFailures } from './equal-failures.js'
import { PingLine } from './timeline.js'

interface Props {
  page: PageContext
  check: Check
  entries: readonly RunEntry<TimelinePing>[]
}

/** One row per run, newest first. A run that is opened shows its pings; equal failures one after another are folded. */
export function RunList({ page, check, entries }: Props) {
  const zone = zoneOf(page)
  const rows = foldedFailures(entries, {
    failureOf: entry => failureOf(entry, check),
    isBetween: () => false,
    dayOf: entry => dayAt(instantOf(entry), zone),
  })
  return (
    <ol class="runs" id="run-list" data-part>
      {entries.length === 0 ? <li class="muted">No runs yet.</li> : null}
      {byDay(page, rows, ([entry]) => instantOf(entry!)).map(({ entry: row, day }) => (
        <>
          <DayHead page={page} day={day} />
          {row.length === 1 ? (
            <Entry page={page} check={check} entry={row[0]!} />
          ) : (
            <li>
              <Failures page={page} check={check} row={row} />
            </li>
          )}
        </>
      ))}
    </ol>
  )
}

type Entry = Props['entries'][number]

function Entry({ page, check, entry }: Omit<Props, 'entries'> & { entry: Entry }) {
  return (
    <li>
      {entry.type === 'missed' ? (
        <Missed page={page} missed={entry} />
      ) : (
        <KeptRow page={page} check={check} run={entry.run} pings={entry.pings} />
      )}
    </li>
  )
}

function Failures({ page, check, row }: Omit<Props, 'entries'> & { row: readonly Entry[] }) {
  const [kind, line] = failureOf(row[0]!, check)!.split('\n') as [string, string]
  return (
    <EqualFailures
      page={page}
      at={instantOf(row[0]!)}
      from={instantOf(row.at(-1)!)}
      count={row.length}
      kind={kind}
      line={line}
    >
      {row.map(entry => (
        <Entry page={page} check={check} entry={entry} />
      ))}
    </EqualFailures>
  )
}

/** What makes failures equal: how the runs ended, and what was said. Unknown outputs are not equal to others. */
function failureOf(entry: Entry, check: Check): string | null {
  if (entry.type === 'missed') return 'Missed\n'
  const { run, pings } = entry
  if (run.endedAt === null || KINDS[run.outcome] !== 'kind-fail') return null
  if (pings.some(({ preview, bodySize }) => preview === null && bodySize > 0)) return null
  return `${outcomeWords(run)}\n${whatWasSaid(run, pings, check)}`
}

function instantOf(entry: Entry): number {
  return entry.type === 'missed' ? entry.dueAt : placeOf(entry.run)
}

function Missed({ page, missed }: { page: PageContext; missed: MissedOccurrence }) {
  return (
    <div class="run-row">
      <span class="event-at">
        <Time page={page} at={missed.dueAt} show="time" />
      </span>
      <span class="event-kind kind-fail">Missed</span>
      <span class="run-took" />
      <span class="run-said">
        <span class="run-words">
          no ping by <Time page={page} at={missed.at} show="clock" />
        </span>
      </span>
    </div>
  )
}

interface RowProps {
  page: PageContext
  check: Check
  run: LedgerRun
  pings: readonly TimelinePing[]
}

/** Rows of runs that have ended, by everything that decides what they show: they are shown again whenever a run is added. */
const endedRows = new RecentMap<string, string>(2_000)

function KeptRow(props: RowProps) {
  const { page, check, run, pings } = props
  if (run.endedAt === null) return <RunRow {...props} />
  const zone = zoneOf(page)
  const shown = [
    page.base,
    zone,
    dayWords(page.now, zone),
    check.uuid,
    runLimitMs(check),
    check.minDurationSeconds,
  ]
  // A stored ping never changes, so its number stands for it.
  const key = JSON.stringify([shown, run, pings.map(({ n }) => n)])
  const html = endedRows.get(key) ?? flat(String(<RunRow {...props} />))
  endedRows.set(key, html)
  return raw(html)
}

/** The same text in one piece of memory: one that was joined from many pieces takes long to copy into each page. */
function flat(text: string): string {
  return Buffer.from(text).toString()
}

function RunRow({ page, check, run, pings }: RowProps) {
  return (
    <details class="run">
      <summary class="run-row">
        <span class="event-at">
          <Time page={page} at={placeOf(run)} show="time" />
          {run.startedAt === null || run.endedAt === null ? null : (
            <>
              {' '}
              → <Time page={page} at={run.endedAt} show="time" />
            </>
          )}
        </span>
        <span class={`event-kind ${KINDS[run.outcome]}`}>{outcomeWords(run)}</span>
        <Took page={page} run={run} limitMs={runLimitMs(check)} />
        <Said run={run} words={whatWasSaid(run, pings, check)} />
      </summary>
      <ol class="run-pings" aria-label="Pings of this run">
        {pings.map(ping => (
          <li class="event" id={`ping-${ping.n}`}>
            <PingLine page={page} checkUuid={check.uuid} ping={ping} />
          </li>
        ))}
        {run.endedAt === null ? null : (
          <li>
            <a href={link(page, `/checks/${check.uuid}/compare/?b=${run.pings.at(-1)}`)}>
              Compare with the success before
            </a>
          </li>
        )}
      </ol>
    </details>
  )
}

/** The facts about the run in words, and its run ID. */
function Said({ run, words }: { run: LedgerRun; words: string }) {
  return (
    <span class="run-said">
      {words === '' ? null : <span class="run-words">{words}</span>}
      {run.rid ? <code title={run.rid}>{run.rid.slice(0, 8)}</code> : null}
    </span>
  )
}

const KINDS: Record<LedgerRun['outcome'], string> = {
  success: 'kind-success',
  failed: 'kind-fail',
  overrun: 'kind-fail',
  too_short: 'kind-fail',
  open: 'kind-start',
  superseded: 'kind-log',
}

const OUTCOMES: Record<LedgerRun['outcome'], string> = {
  success: 'OK',
  failed: 'Failed',
  overrun: 'Ran too long',
  too_short: 'Too short',
  open: 'Running',
  superseded: 'Did not end',
}

/** How a run ended: `OK`, `Exit status 2`, `Ran too long`. */
export function outcomeWords({ outcome, exitStatus }: LedgerRun): string {
  if (exitStatus === null || exitStatus === 0) return OUTCOMES[outcome]
  return outcome === 'failed' ? `Exit status ${exitStatus}` : `${OUTCOMES[outcome]}, exit ${exitStatus}`
}

const WIDTH = 60

/** The duration of the run, as a bar that is full at the limit. */
function Took({ page, run, limitMs }: { page: PageContext; run: LedgerRun; limitMs: number }) {
  const { durationMs, outcome, startedAt } = run
  const goesOn = outcome === 'open' && startedAt !== null
  const ms = goesOn ? page.now - startedAt : durationMs
  if (ms === null) return <span class="run-took" />
  const isOver = outcome === 'overrun' || ms > limitMs
  const length = Math.round(Math.min(1, ms / limitMs) * WIDTH)
  const words = `limit ${periodWords(limitMs / 1000)}`
  return (
    <span class={isOver ? 'run-took is-over' : 'run-took'} title={words}>
      <span class="figure">{goesOn ? <Elapsed page={page} since={startedAt} /> : <Duration ms={ms} />}</span>
      <svg viewBox={`0 0 ${WIDTH} 4`} preserveAspectRatio="none" role="img" aria-label={words}>
        <path class="track" d={`M0 2H${WIDTH}`} />
        <path class="passed" d={`M0 2H${length}`} />
      </svg>
    </span>
  )
}

/** The first line of the output at the end of the run, or what else is known. */
function whatWasSaid(run: LedgerRun, pings: readonly TimelinePing[], check: Check): string {
  const last = pings.findLast(({ action }) => action === 'success' || action === 'fail')
  const line = last && last.scheme !== 'email' ? firstLine(last.preview ?? '') : ''
  if (line !== '') return line
  const limit = periodWords(runLimitMs(check) / 1000)
  if (run.outcome === 'overrun')
    return run.endedAt === null ? `did not end within ${limit}` : `limit ${limit}`
  if (run.outcome === 'too_short') return `at least ${periodWords(check.minDurationSeconds ?? 0)} expected`
  if (run.outcome === 'superseded') return 'no end was sent'
  return ''
}
