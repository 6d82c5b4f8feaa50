import { checkLabel } from '../../../core/alerts/alert.js'
import type { Check } from '../../../core/checks/check.js'
import {
  cursorText,
  TIMELINE_KINDS,
  type TimelineKind,
  type TimelinePage,
} from '../../../core/checks/history/timeline.js'
import { isoDate } from '../../../core/time/date-words.js'
import { Timeline } from '../../components/pings/timeline.js'
import { inZone, Zones } from '../../components/pings/zones.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'
import { checkPage } from '../../site-pages.js'
import { type ShownTimeline, timelineSearch, toggled } from '../../timeline-query.js'

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
  const hasAll = shown.kinds.length === TIMELINE_KINDS.length
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
      <nav class="chips kind-chips" aria-label="Events to show">
        <Chip href={link(page, at({ kinds: TIMELINE_KINDS, before: '' }))} on={hasAll} label="All" />
        {TIMELINE_KINDS.map(kind => (
          <Chip
            href={link(page, at({ kinds: toggled(shown.kinds, kind), before: '' }))}
            on={!hasAll && shown.kinds.includes(kind)}
            label={KIND_WORDS[kind]}
          />
        ))}
      </nav>
      <form class="kinds" method="get" action={link(page, here)}>
        <label>
          Up to{' '}
          <input
            type="date"
            name="day"
            value={shown.day === null ? undefined : isoDate(shown.day)}
            required
          />
        </label>
        {hasAll ? null : shown.kinds.map(kind => <input type="hidden" name="show" value={kind} />)}
        {shown.zone === 'own' ? null : <input type="hidden" name="zone" value={shown.zone} />}
        <button type="submit" class="button button-plain button-small">
          Go
        </button>
        {shown.day === null ? null : <a href={link(page, at({ day: null, before: '' }))}>Up to now</a>}
        <Zones {...props} addressIn={zone => at({ zone })} />
      </form>
      <Timeline page={inZone(props)} checkUuid={check.uuid} events={timeline.events} />
      <nav class="pager" aria-label="Pages of events">
        {shown.before === '' ? null : <a href={link(page, at({ before: '' }))}>Newest</a>}
        {timeline.next ? <a href={link(page, at({ before: cursorText(timeline.next) }))}>Older</a> : null}
      </nav>
    </Layout>
  )
}

function Chip({ href, on, label }: { href: string; on: boolean; label: string }) {
  return (
    <a href={href} aria-current={on ? 'true' : undefined}>
      {label}
    </a>
  )
}

const KIND_WORDS: Record<TimelineKind, string> = {
  success: 'OK',
  fail: 'Failures',
  start: 'Starts',
  log: 'Logs',
  ign: 'Ignored',
  flip: 'Status changes',
  notification: 'Notifications',
}
