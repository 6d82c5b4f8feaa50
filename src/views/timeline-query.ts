/** What of a check's timeline is shown, as it stands in the address. */
import { cursorText, TIMELINE_KINDS, type TimelineCursor, type TimelineKind } from '../core/timeline.js'

/** The kinds named in an address; all where none is named. */
export function readKinds(params: URLSearchParams): TimelineKind[] {
  const asked = params.getAll('show')
  const kinds = TIMELINE_KINDS.filter(kind => asked.includes(kind))
  return kinds.length > 0 ? kinds : [...TIMELINE_KINDS]
}

/** The end of the address that shows `kinds` from `before` on. */
export function timelineSearch(kinds: readonly TimelineKind[], before: TimelineCursor | null): string {
  const params = new URLSearchParams()
  if (kinds.length < TIMELINE_KINDS.length) for (const kind of kinds) params.append('show', kind)
  if (before) params.set('before', cursorText(before))
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
