import type { HoldReason } from '../../../core/alerts/delivery/change.js'
import type { StoredStatus } from '../../../core/checks/check.js'
import { heldWords } from '../../../core/incidents/entry-words.js'
import { whyNeedless } from '../../components/channels/sending-words.js'
import { StatusGlyph } from '../../components/checks/status-glyph.js'
import { Duration } from '../../components/duration.js'
import { cellClass, Table } from '../../components/table.js'
import { Time } from '../../components/time.js'
import { link, type PageContext } from '../../page-context.js'

type Check = { uuid: string; name: string } | null

export interface LoggedEvent {
  at: number
  check: Check
  status: StoredStatus
  /** Null if none was made: the delivery was dropped. */
  attempt: number | null
  durationMs: number | null
  error: string
  test: boolean
}

export interface Waiting {
  check: Check
  status: StoredStatus | null
  attempts: number
  dueAt: number
  /** Why it waits although nothing has failed. */
  held: HoldReason | null
}

interface Props {
  page: PageContext
  events: readonly LoggedEvent[]
  waiting: readonly Waiting[]
}

/** The messages of a channel, newest first, below those that are still waiting. */
export function ChannelLog(props: Props) {
  return (
    <div id="channel-log" data-part>
      <Entries {...props} />
    </div>
  )
}

function Entries({ page, events, waiting }: Props) {
  if (events.length === 0 && waiting.length === 0) {
    return <p class="muted">Nothing yet. Send a test to see whether it arrives.</p>
  }
  return (
    <Table
      caption="Notifications of this integration"
      class="channel-log"
      columns={[
        { title: 'When' },
        { title: 'What', grow: true },
        { title: 'Took', align: 'right', wide: true },
      ]}
    >
      {waiting.map(row => (
        <tr>
          <td>
            <Time page={page} at={row.dueAt} />
          </td>
          <td colspan={2}>
            <div class="told-line">
              <Subject page={page} check={row.check} status={row.status} test={false} />
              <span class="under">{waitingWords(row)}</span>
            </div>
          </td>
        </tr>
      ))}
      {events.map(event => (
        <tr>
          <td>
            <Time page={page} at={event.at} />
          </td>
          <td>
            <div class="told-line">
              <Subject page={page} {...event} />
              <Outcome {...event} />
            </div>
          </td>
          <td class={cellClass({ align: 'right', wide: true })}>
            <Duration ms={event.durationMs} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

function waitingWords({ attempts, held }: Waiting): string {
  if (held === 'minute' || held === 'hour')
    return `held by ${heldWords({ reason: held, text: '' })}, then combined in one message`
  if (held !== null) return `held: ${heldWords({ reason: held, text: '' })}`
  return attempts === 0 ? 'waiting to be sent' : `waiting for attempt ${attempts + 1}`
}

function Subject({
  page,
  check,
  status,
  test,
}: {
  page: PageContext
  check: Check
  status: StoredStatus | null
  test: boolean
}) {
  if (!check) return <span>{test ? 'Test' : 'A notice'}</span>
  return (
    <span class="subject">
      {status ? <StatusGlyph status={status} /> : null}
      <a class="name" href={link(page, `/checks/${check.uuid}/details/`)}>
        {check.name}
      </a>
    </span>
  )
}

function Outcome({ error, attempt }: Pick<LoggedEvent, 'error' | 'attempt'>) {
  const needless = whyNeedless(error)
  if (needless !== null) return <span class="under">not sent: {needless}</span>
  const nth = attempt !== null && attempt > 1 ? `, attempt ${attempt}` : ''
  if (error === 'Sending') return <span class="under">being sent{nth}</span>
  if (error === '') return <span class="under">delivered{nth}</span>
  return (
    <span class="under state-bad">
      {error}
      {nth}
    </span>
  )
}
