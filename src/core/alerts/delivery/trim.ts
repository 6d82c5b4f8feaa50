/** One check and one channel: what many waiting changes come to, in a few of them. Pure. Decision 0102. */
import type { Change } from './change.js'
import type { ChannelRules } from './channel-rules.js'
import { isMissed, wants } from './reconcile.js'

/** A check's newest changes that are always kept. */
export const NEWEST_KEPT = 10

export interface Trimmed {
  /** The changes that stay, oldest first, among them `heir`. */
  kept: Change[]
  /** The newest change that the channel wants, with the counts of those that go; null: it wants none. */
  heir: Change | null
}

/**
 * Leaves out most of the changes of one check, oldest first, where there are very many. What stays is planned as all of
 * them would be, now and later: the oldest change, which begins a time of flapping, the newest ones, and what was tried,
 * which may have arrived. Returns null where nothing goes.
 */
export function trimChanges(changes: readonly Change[], rules: ChannelRules): Trimmed | null {
  const wanted = (change: Change) => wants(rules, change.status)
  const last = changes.findLast(wanted)
  const newest = changes.length - NEWEST_KEPT
  const stays = (change: Change, index: number) =>
    index === 0 ||
    index >= newest ||
    change.attempts > 0 ||
    change === last ||
    // It counts as the newest where the channel is unlinked again.
    change.status === 'deleted'
  const gone = changes.filter((change, index) => !stays(change, index))
  if (gone.length === 0) return null
  const replaced = gone.filter(wanted)
  const heir = last && {
    ...last,
    superseded: replaced.reduce((sum, { superseded }) => sum + superseded + 1, last.superseded),
    missed: last.missed || replaced.some(isMissed),
  }
  const kept = changes.filter(stays).map(change => (change === last ? heir! : change))
  return { kept, heir: heir ?? null }
}
