/** For one check and one channel: reduces many waiting changes to a few. Pure. Decision 0102. */
import type { Change } from './change.js'
import type { ChannelRules } from './channel-rules.js'
import { isMissed, wants } from './reconcile.js'

/** How many of a check's newest changes are always kept. */
export const NEWEST_KEPT = 10

export interface Trimmed {
  /** The changes that are kept, oldest first; `summary` is one of them. */
  kept: Change[]
  /** The newest change that the channel wants, with the counts of the removed ones added; null if it wants none. */
  summary: Change | null
}

/**
 * Removes most of a check's changes, oldest first, if there are very many. The plan stays the same, now and later.
 * Kept are: the oldest change, which begins a time of flapping; the newest ones; those that were tried, which may have
 * arrived, or are counted against a quota; one that was missed though untried, which counts only while nothing holds the check back; one that was missed though
 * the channel does not want it any more, which counts only while something does; and one that was delayed. Returns null if nothing is removed.
 */
export function trimChanges(changes: readonly Change[], rules: ChannelRules): Trimmed | null {
  const wanted = ({ status, again }: Change) => again === null && wants(rules, status)
  const last = changes.findLast(wanted)
  const newest = changes.length - NEWEST_KEPT
  const stays = (change: Change, index: number) =>
    index === 0 ||
    index >= newest ||
    change.attempts > 0 ||
    change.charged !== 0 ||
    change.again !== null ||
    change === last ||
    // It counts as the newest if the channel is unlinked again.
    change.status === 'deleted'
  const newestOf = (matters: (change: Change) => boolean) =>
    changes.findLast((change, index) => !stays(change, index) && matters(change))
  const marked = new Set([
    newestOf(change => !change.missed && isMissed(change)),
    newestOf(change => change.missed && !wanted(change)),
    newestOf(change => change.delayed && wanted(change)),
  ])
  const isGone = (change: Change, index: number) => !stays(change, index) && !marked.has(change)
  const gone = changes.filter(isGone)
  if (gone.length === 0) return null
  const replaced = gone.filter(wanted)
  const summary = last && {
    ...last,
    superseded: replaced.reduce((sum, { superseded }) => sum + superseded + 1, last.superseded),
    missed: last.missed || replaced.some(one => one.missed),
  }
  const kept = changes
    .filter((change, index) => !isGone(change, index))
    .map(change => (change === last ? summary! : change))
  return { kept, summary: summary ?? null }
}
