import type { Check } from '../../../core/checks/check.js'
import { inZone, link, type PageContext, zoneOf } from '../../page-context.js'
import { TIMELINE_ZONES, type TimelineZone } from '../../timeline-query.js'

interface Props {
  page: PageContext
  check: Pick<Check, 'tz'>
  shown: { zone: TimelineZone }
}

/** The page context with the reader's time zone replaced by the requested one. */
export function inShownZone({ page, check, shown }: Props): PageContext {
  return shown.zone === 'own' ? page : inZone(page, shown.zone === 'utc' ? 'UTC' : check.tz)
}

/** The time zone of the times, if there is a choice. `addressIn` returns the address of the page in another zone. */
export function Zones({
  page,
  check,
  shown,
  addressIn,
}: Props & { addressIn: (zone: TimelineZone) => string }) {
  const names = { own: zoneOf(page), utc: 'UTC', check: check.tz }
  const zones = TIMELINE_ZONES.filter((zone, index) =>
    TIMELINE_ZONES.slice(0, index).every(other => names[other] !== names[zone]),
  )
  if (zones.length < 2) return null
  return (
    <span class="zones">
      <span class="muted">Times in</span>
      {zones.map(zone => (
        <a href={link(page, addressIn(zone))} aria-current={zone === shown.zone ? 'true' : undefined}>
          {names[zone]}
        </a>
      ))}
    </span>
  )
}
