import type { Check } from '../../../core/checks/check.js'
import { TIMELINE_KINDS, type TimelineKind } from '../../../core/checks/history/timeline.js'
import { LONGEST_SOUGHT } from '../../../core/text/output/find-in-output.js'
import { isoDate } from '../../../core/time/date-words.js'
import { link, type PageContext } from '../../page-context.js'
import { PING_KINDS, type ShownTimeline, timelineSearch, toggled } from '../../timeline-query.js'
import { Zones } from './zones.js'

interface Props {
  page: PageContext
  check: Pick<Check, 'uuid' | 'tz'>
  /** The end of the page's address after that of the log: the part of the log that is shown. */
  shown: ShownTimeline
}

/** What is shown of the log of a check: kinds of events, a text in outputs, the newest day. All of it is in the address. */
export function LogFilters({ page, check, shown }: Props) {
  const here = link(page, `/checks/${check.uuid}/log/`)
  const at = (other: Partial<ShownTimeline>) => here + timelineSearch({ ...shown, before: '', ...other })
  // Only pings have outputs.
  const kinds = shown.text === '' ? TIMELINE_KINDS : PING_KINDS
  const hasAll = kinds.every(kind => shown.kinds.includes(kind))
  return (
    <>
      <nav class="chips kind-chips" aria-label="Events to show">
        <Chip href={at({ kinds: TIMELINE_KINDS })} on={hasAll} label="All" />
        {kinds.map(kind => (
          <Chip
            href={at({ kinds: toggled(shown.kinds, kind, kinds) })}
            on={!hasAll && shown.kinds.includes(kind)}
            label={KIND_WORDS[kind]}
          />
        ))}
      </nav>
      <form class="kinds" method="get" action={here}>
        <label>
          Text in output{' '}
          <input type="search" name="text" value={shown.text} maxlength={LONGEST_SOUGHT} autocomplete="off" />
        </label>
        <label>
          Up to <input type="date" name="day" value={shown.day === null ? undefined : isoDate(shown.day)} />
        </label>
        {hasAll ? null : shown.kinds.map(kind => <input type="hidden" name="show" value={kind} />)}
        {shown.zone === 'own' ? null : <input type="hidden" name="zone" value={shown.zone} />}
        <button type="submit" class="button button-plain button-small">
          Show
        </button>
        {shown.text === '' ? null : <a href={at({ text: '' })}>Any output</a>}
        {shown.day === null ? null : <a href={at({ day: null })}>Up to now</a>}
        <Zones
          page={page}
          check={check}
          shown={shown}
          addressIn={zone => `/checks/${check.uuid}/log/${timelineSearch({ ...shown, zone })}`}
        />
      </form>
    </>
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
