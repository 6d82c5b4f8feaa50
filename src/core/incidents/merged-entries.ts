/** A timeline with fewer lines: what happened to several channels at once, for the same reason, is one. Pure. */
import type { IncidentEntry, TimelineChannel } from './listed-incident.js'

/** An entry, with all channels that it is about; none if it is about none. */
export interface MergedEntry {
  entry: IncidentEntry
  channels: TimelineChannel[]
}

/** Entries of this time (ms) count as one. */
const TOGETHER_MS = 60_000

/** Merges entries that differ only in their channel, in their order. */
export function mergeEntries(entries: readonly IncidentEntry[]): MergedEntry[] {
  const merged: MergedEntry[] = []
  for (const entry of entries) {
    const last = merged.at(-1)
    const channels = 'channel' in entry ? [entry.channel] : []
    const isSame =
      last && channels.length > 0 && entry.at - last.entry.at < TOGETHER_MS && same(last.entry, entry)
    if (isSame) last.channels.push(...channels)
    else merged.push({ entry, channels })
  }
  return merged
}

function same(a: IncidentEntry, b: IncidentEntry): boolean {
  if (a.type === 'message' && b.type === 'message') {
    return a.status === b.status && a.error === '' && b.error === '' && a.attempts === 1 && b.attempts === 1
  }
  if (a.type === 'held' && b.type === 'held')
    return a.reason === b.reason && a.text === b.text && a.until === b.until
  return a.type === 'dropped' && b.type === 'dropped' && a.reason === b.reason && a.text === b.text
}
