import { checkLabel } from '../../../core/alerts/alert.js'
import type { Check } from '../../../core/checks/check.js'
import { cursorText, type TimelinePage } from '../../../core/checks/history/timeline.js'
import { LogFilters } from '../../components/pings/log-filters.js'
import { Timeline } from '../../components/pings/timeline.js'
import { inShownZone } from '../../components/pings/zones.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'
import { checkPage } from '../../site-pages.js'
import { type ShownTimeline, timelineSearch } from '../../timeline-query.js'

export interface LogProps {
  page: PageContext
  /** See http/web/live/live.ts. */
  version: string
  check: Check
  timeline: TimelinePage
  /** The end of the page's address after that of the log: the part of the timeline that is shown. */
  shown: ShownTimeline
}

/** The log of a check: its pings, changes and notifications. */
export function LogPage(props: LogProps) {
  const { page, check, timeline, shown, version } = props
  const here = `/checks/${check.uuid}/log/`
  const at = (other: Partial<ShownTimeline>) => `${here}${timelineSearch({ ...shown, ...other })}`
  return (
    <Layout
      title={`Log of ${checkLabel(check)}`}
      page={page}
      section="checks"
      parent={checkPage(check)}
      scripts={['live']}
    >
      <header
        class="page-head"
        data-live={link(page, `${here}live/${timelineSearch(shown)}`)}
        data-version={version}
      >
        <h1>Log</h1>
      </header>
      <LogFilters page={page} check={check} shown={shown} />
      <Timeline page={inShownZone(props)} checkUuid={check.uuid} events={timeline.events} />
      <nav class="pager" aria-label="Pages of events">
        {shown.before === '' ? null : <a href={link(page, at({ before: '' }))}>Newest</a>}
        {timeline.next ? <a href={link(page, at({ before: cursorText(timeline.next) }))}>Older</a> : null}
      </nav>
    </Layout>
  )
}
