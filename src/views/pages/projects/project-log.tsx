import { reasonText } from '../../../core/alerts/down-reason.js'
import { sentTogether } from '../../../core/alerts/sent-together.js'
import type { TimelineKind } from '../../../core/checks/history/timeline.js'
import type { ProjectEvent } from '../../../core/projects/project-log.js'
import { SentTo, SentWords } from '../../components/channels/sent-rows.js'
import { StatusGlyph } from '../../components/checks/status-glyph.js'
import { EmptyState } from '../../components/empty-state.js'
import { Button, ButtonLink } from '../../components/forms/button.js'
import { Tick } from '../../components/forms/field.js'
import { type Live, LiveMark } from '../../components/live-mark.js'
import { PageHead } from '../../components/page-head.js'
import { flipWords, notificationsOf, pingWords, sourceWords } from '../../components/pings/timeline.js'
import { cellClass, Table } from '../../components/table.js'
import { Time } from '../../components/time.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'

/** In order of importance. */
const KIND_LABELS: Record<TimelineKind, string> = {
  flip: 'Status changes',
  notification: 'Notifications',
  fail: 'Failures',
  success: 'Successes',
  start: 'Starts',
  log: 'Log entries',
  ign: 'Ignored',
}

interface Props {
  page: PageContext
  projectUuid: string
  kinds: readonly TimelineKind[]
  events: readonly ProjectEvent[]
  /** The address of older events; null if there are none. */
  older: string | null
  /** Null for an older page, which does not change. */
  live: Live | null
}

/** The events of all checks of a project, newest first. */
export function ProjectLogPage({ page, projectUuid, kinds, events, older, live }: Props) {
  const path = link(page, `/projects/${projectUuid}/log/`)
  return (
    <Layout page={page} title="Log" section="log" scripts={live ? ['live'] : []}>
      {live ? <LiveMark page={page} live={live} /> : null}
      <PageHead title="Log" lead="All events of this project, newest first.">
        <ButtonLink href={link(page, `/projects/${projectUuid}/changes/`)}>Change log</ButtonLink>
      </PageHead>
      <form method="get" action={path} class="filter">
        {Object.entries(KIND_LABELS).map(([kind, label]) => (
          <Tick name="kind" value={kind} label={label} checked={kinds.some(shown => shown === kind)} />
        ))}
        <Button small>Show</Button>
      </form>
      <LogEvents page={page} events={events} older={older} />
    </Layout>
  )
}

/** The events, and the link to older ones. */
export function LogEvents({ page, events, older }: Pick<Props, 'page' | 'events' | 'older'>) {
  return (
    <div id="log" data-part>
      {events.length === 0 ? <Nothing more={older !== null} /> : <Events page={page} events={events} />}
      {older ? (
        <p class="spaced">
          <ButtonLink href={older}>Older</ButtonLink>
        </p>
      ) : null}
    </div>
  )
}

function Nothing({ more }: { more: boolean }) {
  if (more) return <p class="muted">No such events in this period. There may be older ones.</p>
  return (
    <EmptyState title="No such events">
      <p>Status changes, notifications and failures appear here as they happen.</p>
    </EmptyState>
  )
}

function Events({ page, events }: Pick<Props, 'page' | 'events'>) {
  return (
    <Table
      caption="Events"
      class="log"
      columns={[{ title: 'When' }, { title: 'Check' }, { title: 'Event' }, { title: 'Details', wide: true }]}
    >
      {sentTogether(events).map(row => (
        <Row page={page} row={row} />
      ))}
    </Table>
  )
}

/** One event, or notifications that were sent together. */
function Row({ page, row }: { page: PageContext; row: readonly ProjectEvent[] }) {
  const event = row[0]!
  const { check, what, details } = partsOf(page, row)
  return (
    <tr>
      <td class="log-when">
        <Time page={page} at={event.at} show="clock" />
      </td>
      <td class="log-check">
        <a class="name" href={link(page, `/checks/${check.uuid}/details/`)}>
          {check.name}
        </a>
      </td>
      <td class="log-what">{what}</td>
      {/* A channel that was not reached must be visible on a phone too. */}
      <td class={event.type === 'notification' ? 'log-told' : cellClass({ wide: true })}>
        <div class="under">{details}</div>
      </td>
    </tr>
  )
}

function partsOf(page: PageContext, row: readonly ProjectEvent[]) {
  const event = row[0]!
  if (event.type === 'flip') {
    const { flip } = event
    const what = (
      <span class="subject">
        <StatusGlyph status={flip.newStatus} />
        {flipWords(flip)}
      </span>
    )
    return { check: flip.check, what, details: reasonText(flip) }
  }
  if (event.type === 'notification') {
    const sent = notificationsOf(row)
    return {
      check: event.notification.check,
      what: <SentWords sent={sent} />,
      details: <SentTo page={page} sent={sent} />,
    }
  }
  const { ping } = event
  const words = pingWords(ping)
  return {
    check: ping.check,
    what: (
      <a class="plain" href={link(page, `/checks/${ping.check.uuid}/pings/${ping.n}/`)}>
        {words}
      </a>
    ),
    details: sourceWords(ping),
  }
}
