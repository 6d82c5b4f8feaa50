import { checkLabel } from '../../../core/alerts/alert.js'
import type { Check } from '../../../core/checks/check.js'
import { cursorText, NEWEST, type TimelinePing } from '../../../core/checks/history/timeline.js'
import type { Excerpt } from '../../../core/text/output/find-in-output.js'
import { plural } from '../../../core/text/plural.js'
import { byDay, DayHead } from '../../components/pings/by-day.js'
import { LogFilters } from '../../components/pings/log-filters.js'
import { PingLine } from '../../components/pings/timeline.js'
import { inShownZone } from '../../components/pings/zones.js'
import { Time } from '../../components/time.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'
import { checkPage } from '../../site-pages.js'
import { type ShownTimeline, timelineSearch } from '../../timeline-query.js'

export interface LogSearchProps {
  page: PageContext
  check: Check
  shown: ShownTimeline
  search: {
    found: readonly { ping: TimelinePing; excerpt: Excerpt }[]
    /** The number of pings that were looked at, the oldest of them, and how many outputs of theirs could not be read. */
    pings: number
    oldest: { n: number; at: number } | null
    unread: number
    /** The ping before which a further search begins; null if there are no older ones. */
    next: number | null
  }
}

/** The pings of a check whose outputs have a text. */
export function LogSearchPage(props: LogSearchProps) {
  const { page, check, shown, search } = props
  const { found, next } = search
  const here = `/checks/${check.uuid}/log/`
  const at = (before: string) => link(page, here + timelineSearch({ ...shown, before }))
  return (
    <Layout title={`Log of ${checkLabel(check)}`} page={page} section="checks" parent={checkPage(check)}>
      <header class="page-head">
        <h1>Log</h1>
      </header>
      <LogFilters page={page} check={check} shown={shown} />
      <p class="looked" role="status">
        <strong>
          {found.length === 0 ? 'No output' : plural(found.length, 'output')}{' '}
          {found.length > 1 ? 'have' : 'has'} “{shown.text}”.
        </strong>{' '}
        <Looked {...props} />
      </p>
      <ol class="timeline" id="timeline">
        {byDay(inShownZone(props), found, ({ ping }) => ping.at).map(({ entry: { ping, excerpt }, day }) => (
          <>
            <DayHead page={inShownZone(props)} day={day} />
            <li class="event">
              <PingLine page={inShownZone(props)} checkUuid={check.uuid} ping={ping} excerpt={excerpt} />
            </li>
          </>
        ))}
      </ol>
      <nav class="pager" aria-label="Pages of events">
        {shown.before === '' ? null : <a href={at('')}>Newest</a>}
        {next === null ? null : <a href={at(cursorText({ ...NEWEST, ping: next }))}>Look further back</a>}
      </nav>
    </Layout>
  )
}

/** How far the search has looked. */
function Looked(props: LogSearchProps) {
  const { shown, search } = props
  const { pings, oldest, unread, next } = search
  if (!oldest) return <>There are no pings to look at.</>
  const of = shown.before === '' && shown.day === null ? 'the newest ' : ''
  return (
    <>
      Looked at {next === null ? '' : of}
      {plural(pings, 'ping')}, back to <Time page={inShownZone(props)} at={oldest.at} />
      {next === null ? ', the oldest that is kept.' : '.'}
      {unread > 0 ? ` ${plural(unread, 'output')} in object storage could not be read.` : ''}
    </>
  )
}
