/** The query of a check's timeline, as in the address. */
import { TIMELINE_KINDS, type TimelineKind } from '../core/checks/history/timeline.js'
import type { Action } from '../core/pings/ping-event.js'
import { LONGEST_SOUGHT } from '../core/text/output/find-in-output.js'
import { isoDate, parseIsoDate } from '../core/time/date-words.js'

/** The kinds named in an address; all if it names none. */
export function readKinds(params: URLSearchParams): TimelineKind[] {
  const asked = params.getAll('show')
  const kinds = TIMELINE_KINDS.filter(kind => asked.includes(kind))
  return kinds.length > 0 ? kinds : [...TIMELINE_KINDS]
}

/** The time zone of the times: the reader's, UTC, or the check's. Source: docs/behaviour.md, section 9.4. */
export const TIMELINE_ZONES = ['own', 'utc', 'check'] as const
export type TimelineZone = (typeof TIMELINE_ZONES)[number]

/** The zone named in an address; the reader's if it names none. */
export function readZone(params: URLSearchParams): TimelineZone {
  return TIMELINE_ZONES.find(zone => zone === params.get('zone')) ?? 'own'
}

/** The part of a timeline that is shown. */
export interface ShownTimeline extends ShownRuns {
  kinds: readonly TimelineKind[]
  /** The newest day that is shown; null: up to now. */
  day: number | null
  /** The text that the outputs of the pings have; empty: everything is shown. */
  text: string
}

/** The text in outputs named in an address; empty if none. */
export function readText(params: URLSearchParams): string {
  return (params.get('text') ?? '').trim().slice(0, LONGEST_SOUGHT)
}

/** The day named in an address, or null. */
export function readDay(params: URLSearchParams): number | null {
  return parseIsoDate(params.get('day') ?? '')
}

/** The kinds of pings. */
export const PING_KINDS = TIMELINE_KINDS.filter(
  (kind): kind is Action => kind !== 'flip' && kind !== 'notification',
)

/** The kinds of pings among these; all if there are none. */
export function pingKinds(kinds: readonly TimelineKind[]): readonly Action[] {
  const found = PING_KINDS.filter(kind => kinds.includes(kind))
  return found.length > 0 ? found : PING_KINDS
}

/** What a click on a kind shows: this kind if all are shown, else one more or one less; without any, all. */
export function toggled(
  kinds: readonly TimelineKind[],
  kind: TimelineKind,
  all: readonly TimelineKind[] = TIMELINE_KINDS,
): readonly TimelineKind[] {
  if (all.every(one => kinds.includes(one))) return [kind]
  const others = kinds.filter(one => one !== kind)
  if (others.length === kinds.length) return [...kinds, kind]
  return others.length > 0 ? others : TIMELINE_KINDS
}

/** The page of a check's runs that is shown. */
export interface ShownRuns {
  /** Where the page begins; empty for the newest. */
  before: string
  zone: TimelineZone
}

/** The end of the address of this part. */
export function timelineSearch({ kinds, day, text, ...shown }: ShownTimeline): string {
  const params = new URLSearchParams()
  if (text !== '') params.set('text', text)
  const all = text === '' ? TIMELINE_KINDS : PING_KINDS
  if (!all.every(kind => kinds.includes(kind))) for (const kind of kinds) params.append('show', kind)
  if (day !== null) params.set('day', isoDate(day))
  return searchOf(params, shown)
}

/** The end of the address of this page of runs. */
export function runsSearch(shown: ShownRuns): string {
  return searchOf(new URLSearchParams(), shown)
}

/** Where a page of runs begins; null for the newest. */
export function runsBefore(params: URLSearchParams): number | null {
  const text = params.get('before') ?? ''
  return /^[1-9]\d{0,9}$/.test(text) ? Math.min(Number(text), 2 ** 31 - 1) : null
}

function searchOf(params: URLSearchParams, { before, zone }: ShownRuns): string {
  if (before !== '') params.set('before', before)
  if (zone !== 'own') params.set('zone', zone)
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
