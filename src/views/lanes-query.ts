/** The query of the timeline of all checks, as in its address. */
import { LANE_PRESETS, type LanePreset, presetSpan, rangeWithin } from '../core/checks/lanes/lane-range.js'
import { isUuid } from '../core/text/uuid.js'
import { localText, parseLocal } from '../core/time/local-instant.js'
import type { Span } from '../core/time/spans.js'

export interface LanesQuery {
  range: Span
  /** The preset of the range; null if it has its own ends. */
  preset: LanePreset['name'] | null
  /** Whether times are shown in UTC instead of the reader's zone. */
  utc: boolean
  search: string
  tag: string
  /** As text in the order of time instead of lanes. */
  asList: boolean
  /** Whether all checks without trouble have a lane, even if there are many. */
  all: boolean
  /** The UUID of the check whose runs are listed; empty: none. */
  check: string
}

/** Parses the query of an address and ignores what it does not know. `tz`: the reader's zone, in which times without one are. */
export function readLanesQuery(params: URLSearchParams, now: number, tz: string): LanesQuery {
  const text = (name: string, most: number) => (params.get(name) ?? '').trim().slice(0, most)
  const utc = params.get('zone') === 'utc'
  const zone = utc ? 'UTC' : tz
  const [from, to] = [readInstant(text('from', 40), zone), readInstant(text('to', 40), zone)]
  const preset = LANE_PRESETS.find(({ name }) => name === params.get('range'))?.name ?? 'night'
  const isOwn = from !== null && to !== null
  return {
    range: isOwn ? rangeWithin({ from, to }) : presetSpan(preset, now, zone),
    preset: isOwn ? null : preset,
    utc,
    search: text('search', 200),
    tag: text('tag', 500),
    asList: params.get('view') === 'list',
    all: params.get('lanes') === 'all',
    check: isUuid(text('check', 36)) ? text('check', 36) : '',
  }
}

/** `2026-11-21T20:00Z`, or without Z by the clock of `zone`; null if the text is not a time. */
function readInstant(text: string, zone: string): number | null {
  return text.endsWith('Z') ? parseLocal(text.slice(0, -1), 'UTC') : parseLocal(text, zone)
}

/** The query as the end of an address. Its instants are in UTC, so that it means the same to every reader. */
export function lanesSearch({ range, preset, utc, search, tag, asList, all, check }: LanesQuery): string {
  const params = new URLSearchParams()
  if (preset === null) {
    params.set('from', `${localText(range.from, 'UTC')}Z`)
    params.set('to', `${localText(range.to, 'UTC')}Z`)
  } else if (preset !== 'night') params.set('range', preset)
  if (utc) params.set('zone', 'utc')
  if (search !== '') params.set('search', search)
  if (tag !== '') params.set('tag', tag)
  if (asList) params.set('view', 'list')
  if (all) params.set('lanes', 'all')
  if (check !== '') params.set('check', check)
  return params.size === 0 ? '' : `?${params}`.replaceAll('%3A', ':')
}
