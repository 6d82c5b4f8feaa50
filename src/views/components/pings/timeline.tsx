import { reasonText } from '../../../core/alerts/down-reason.js'
import { sentTogether } from '../../../core/alerts/sent-together.js'
import type { Flip } from '../../../core/checks/flip.js'
import type {
  TimelineEvent,
  TimelineFlip,
  TimelineNotification,
  TimelinePing,
} from '../../../core/checks/history/timeline.js'
import { isLate, timeOf } from '../../../core/pings/back-dated.js'
import { foldedFailures } from '../../../core/pings/equal-failures.js'
import type { Excerpt } from '../../../core/text/output/find-in-output.js'
import { firstLine, plainLines } from '../../../core/text/output/plain-output.js'
import { plural } from '../../../core/text/plural.js'
import { dayAt } from '../../../core/time/calendar.js'
import { link, type PageContext, zoneOf } from '../../page-context.js'
import { SentTo, SentWords } from '../channels/sent-rows.js'
import { StatusGlyph } from '../checks/status-glyph.js'
import { Duration } from '../duration.js'
import { Time } from '../time.js'
import { byDay, DayHead } from './by-day.js'
import { EqualFailures } from './equal-failures.js'
import { ExcerptLine } from './excerpt-line.js'

interface Props {
  page: PageContext
  checkUuid: string
  events: readonly TimelineEvent[]
}

/** The events of a check, newest first; equal failures one after another are folded. */
export function Timeline({ page, checkUuid, events }: Props) {
  const zone = zoneOf(page)
  const rows = foldedFailures(sentTogether(events), {
    failureOf: ([event]) => failureOf(event!),
    isBetween: ([event]) => event!.type === 'ping' && event!.ping.action === 'start',
    dayOf: ([event]) => dayAt(event!.at, zone),
  })
  return (
    <ol class="timeline" id="timeline" data-part>
      {events.length === 0 ? <li class="muted">Nothing yet.</li> : null}
      {byDay(page, rows, ([row]) => row![0]!.at).map(({ entry: fold, day }) => (
        <>
          <DayHead page={page} day={day} />
          {fold.length === 1 ? (
            <Row page={page} checkUuid={checkUuid} row={fold[0]!} />
          ) : (
            <li class="event">
              <Failures page={page} checkUuid={checkUuid} fold={fold} />
            </li>
          )}
        </>
      ))}
    </ol>
  )
}

/** What makes failures equal: their kind, exit status and first line. Unknown outputs are not equal to others. */
function failureOf(event: TimelineEvent): string | null {
  if (event.type !== 'ping' || event.ping.action !== 'fail') return null
  const { ping } = event
  if (ping.preview === null && ping.bodySize > 0) return null
  return `${pingWords(ping)}\n${firstLine(ping.preview ?? '')}`
}

/** Equal failures, newest first, with the starts of their runs. */
function Failures({ page, checkUuid, fold }: Omit<Props, 'events'> & { fold: readonly TimelineEvent[][] }) {
  const failed = fold.flatMap(([event]) =>
    event?.type === 'ping' && event.ping.action === 'fail' ? [event] : [],
  )
  const { at, ping } = failed[0]!
  return (
    <EqualFailures
      page={page}
      at={at}
      from={failed.at(-1)!.at}
      count={failed.length}
      kind={pingWords(ping)}
      line={firstLine(ping.preview ?? '')}
    >
      {fold.map(row => (
        <Row page={page} checkUuid={checkUuid} row={row} />
      ))}
    </EqualFailures>
  )
}

/** One event, or notifications that were sent together. */
function Row(props: RowProps) {
  const event = props.row[0]!
  return (
    <li class={`event event-${event.type}`} id={event.type === 'ping' ? `ping-${event.ping.n}` : undefined}>
      <Line {...props} />
    </li>
  )
}

interface RowProps extends Omit<Props, 'events'> {
  row: readonly TimelineEvent[]
}

function Line({ page, checkUuid, row }: RowProps) {
  const event = row[0]!
  switch (event.type) {
    case 'ping':
      return <PingLine page={page} checkUuid={checkUuid} ping={event.ping} />
    case 'flip':
      return <FlipLine page={page} flip={event.flip} />
    case 'notification':
      return <SentLine page={page} at={event.at} sent={notificationsOf(row)} />
  }
}

interface PingProps {
  page: PageContext
  checkUuid: string
  ping: TimelinePing
  /** A line of its output, in place of the beginning. */
  excerpt?: Excerpt
}

/** One ping, as a link to its page. */
export function PingLine({ page, checkUuid, ping, excerpt }: PingProps) {
  const anchor = excerpt ? `#L${excerpt.line}` : ''
  return (
    <a class="event-link" href={link(page, `/checks/${checkUuid}/pings/${ping.n}/${anchor}`)}>
      <span class="event-at">
        <Time page={page} at={ping.at} show="time" />
      </span>
      <span class={`event-kind kind-${ping.action}`}>{pingWords(ping)}</span>
      <span class="event-what">
        {isLate(ping) ? (
          <span>
            ran at <Time page={page} at={timeOf(ping)} show="clock" />
          </span>
        ) : null}
        {ping.durationMs === null ? null : (
          <span class="figure">
            <Duration ms={ping.durationMs} />
          </span>
        )}
        {ping.rid ? <code title={ping.rid}>{ping.rid.slice(0, 8)}</code> : null}
        {excerpt ? <ExcerptLine excerpt={excerpt} /> : <Beginning ping={ping} />}
      </span>
      <span class="event-source">{sourceWords(ping)}</span>
      <span class="event-n">#{ping.n}</span>
    </a>
  )
}

function Beginning({ ping: { preview, bodySize } }: { ping: TimelinePing }) {
  if (preview) return <span class="event-body">{plainLines(preview).join(' ').trim()}</span>
  return preview === null && bodySize > 0 ? <span class="muted">{plural(bodySize, 'byte')}</span> : null
}

const ACTION_WORDS = { success: 'OK', start: 'Started', fail: 'Failed', log: 'Log', ign: 'Ignored' }

/** What a ping reported, or was judged: `OK`, `Failed`, `Exit status 2`, `Too short`. */
export function pingWords({
  action,
  exitStatus,
  cause,
}: Pick<TimelinePing, 'action' | 'exitStatus' | 'cause'>): string {
  if (cause === 'too_short') return 'Too short'
  if (action === 'fail' && exitStatus !== null) return `Exit status ${exitStatus}`
  return ACTION_WORDS[action]
}

/** The origin of a ping: `HTTPS POST from 203.0.113.9, curl/8.5.0`. */
export function sourceWords({
  scheme,
  method,
  remoteAddr,
  ua,
}: Pick<TimelinePing, 'scheme' | 'method' | 'remoteAddr' | 'ua'>): string {
  // The user agent of an e-mail begins as that of Healthchecks does; pages have one spelling.
  if (scheme === 'email') return ua.replace(/^Email(?= )/, 'E-mail') || 'E-mail'
  const from = remoteAddr === null ? '' : ` from ${remoteAddr}`
  const agent = ua === '' ? '' : `, ${ua.length > 80 ? `${ua.slice(0, 80)}…` : ua}`
  return `${scheme.toUpperCase()} ${method}${from}${agent}`
}

function FlipLine({ page, flip }: { page: PageContext; flip: TimelineFlip }) {
  return (
    <div class="event-link">
      <span class="event-at">
        <Time page={page} at={flip.createdAt} show="time" />
      </span>
      <span class="event-kind">
        <StatusGlyph status={flip.newStatus} />
        {flipWords(flip)}
      </span>
      <span class="event-what muted">{reasonText(flip)}</span>
    </div>
  )
}

/** A change of status in words: `Went down`, `Came back up`. A ping resumes a check, and so does undoing its pause. */
export function flipWords({ oldStatus, newStatus }: Pick<Flip, 'oldStatus' | 'newStatus'>): string {
  if (newStatus === 'down') return 'Went down'
  if (newStatus === 'paused') return 'Paused'
  if (oldStatus === 'paused') return 'Resumed'
  if (newStatus === 'new') return 'New'
  return oldStatus === 'down' ? 'Came back up' : 'Came up'
}

/** The notifications of a row of a log. */
export function notificationsOf<N>(
  row: readonly ({ type: 'ping' | 'flip' } | { type: 'notification'; notification: N })[],
): N[] {
  return row.flatMap(event => (event.type === 'notification' ? [event.notification] : []))
}

function SentLine({
  page,
  at,
  sent,
}: {
  page: PageContext
  at: number
  sent: readonly TimelineNotification[]
}) {
  return (
    <div class="event-link">
      <span class="event-at">
        <Time page={page} at={at} show="time" />
      </span>
      <span class="event-kind muted">
        <SentWords sent={sent} />
      </span>
      <div class="event-what muted">
        <SentTo page={page} sent={sent} />
      </div>
    </div>
  )
}
