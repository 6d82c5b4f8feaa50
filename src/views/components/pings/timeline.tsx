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
import { plainLines } from '../../../core/text/output/plain-output.js'
import { plural } from '../../../core/text/plural.js'
import { link, type PageContext } from '../../page-context.js'
import { SentTo, SentWords } from '../channels/sent-rows.js'
import { StatusGlyph } from '../checks/status-glyph.js'
import { Duration } from '../duration.js'
import { Time } from '../time.js'
import { byDay, DayHead } from './by-day.js'

interface Props {
  page: PageContext
  checkUuid: string
  events: readonly TimelineEvent[]
}

/** The events of a check, newest first. */
export function Timeline({ page, checkUuid, events }: Props) {
  return (
    <ol class="timeline" id="timeline" data-part>
      {events.length === 0 ? <li class="muted">Nothing yet.</li> : null}
      {byDay(page, sentTogether(events), ([event]) => event!.at).map(({ entry: row, day }) => (
        <>
          <DayHead page={page} day={day} />
          <li class={`event event-${row[0]!.type}`}>
            <Row page={page} checkUuid={checkUuid} row={row} />
          </li>
        </>
      ))}
    </ol>
  )
}

/** One event, or notifications that were sent together. */
function Row({ page, checkUuid, row }: Omit<Props, 'events'> & { row: readonly TimelineEvent[] }) {
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

/** One ping, as a link to its page. */
export function PingLine({
  page,
  checkUuid,
  ping,
}: {
  page: PageContext
  checkUuid: string
  ping: TimelinePing
}) {
  return (
    <a class="event-link" href={link(page, `/checks/${checkUuid}/pings/${ping.n}/`)}>
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
        {ping.preview ? <span class="event-body">{plainLines(ping.preview).join(' ').trim()}</span> : null}
        {ping.preview === null && ping.bodySize > 0 ? (
          <span class="muted">{plural(ping.bodySize, 'byte')}</span>
        ) : null}
      </span>
      <span class="event-source">{sourceWords(ping)}</span>
      <span class="event-n">#{ping.n}</span>
    </a>
  )
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
  if (scheme === 'email') return ua || 'E-mail'
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
