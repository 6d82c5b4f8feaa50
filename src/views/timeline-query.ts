/** What of a check's timeline is shown, as it stands in the address. */
import { TIMELINE_KINDS, type TimelineKind } from '../core/checks/timeline.js'

/** The kinds named in an address; all where none is named. */
export function readKinds(params: URLSearchParams): TimelineKind[] {
  const asked = params.getAll('show')
  const kinds = TIMELINE_KINDS.filter(kind => asked.includes(kind))
  return kinds.length > 0 ? kinds : [...TIMELINE_KINDS]
}

/**
 * In whose time zone the times stand: the reader's own, UTC, or the check's.
 * Source: docs/behaviour.md, section 9.4.
 */
export const TIMELINE_ZONES = ['own', 'utc', 'check'] as const
export type TimelineZone = (typeof TIMELINE_ZONES)[number]

/** The zone named in an address; the reader's own where none is. */
export function readZone(params: URLSearchParams): TimelineZone {
  return TIMELINE_ZONES.find(zone => zone === params.get('zone')) ?? 'own'
}

/** What of a timeline is shown. */
export interface ShownTimeline {
  kinds: readonly TimelineKind[]
  /** Where the page begins; empty for the newest. */
  before: string
  zone: TimelineZone
}

/** The end of the address that shows this. */
export function timelineSearch({ kinds, before, zone }: ShownTimeline): string {
  const params = new URLSearchParams()
  if (kinds.length < TIMELINE_KINDS.length) for (const kind of kinds) params.append('show', kind)
  if (before !== '') params.set('before', before)
  if (zone !== 'own') params.set('zone', zone)
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
