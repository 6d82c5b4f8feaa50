/** Monthly quotas of messages that cost money. What exceeds one is held until messages are left again. Pure. Decision 0102. */
import { monthAt, startOfMonth } from '../../time/calendar.js'
import { RECHECK_MS } from './hold.js'
import type { ChannelState, Part } from './plan-values.js'

/** A quota that a channel's messages count against. */
export interface Quota {
  /** What is counted for an account: `messages` or `calls`. */
  name: 'messages' | 'calls'
  /** The word for a message. */
  called: string
  /** The maximum number of an account in a calendar month (UTC). */
  limit: number
}

/** The error of what a quota does not allow. Source: docs/behaviour.md, section 8.4. */
export function quotaError({ called }: Pick<Quota, 'called'>): string {
  return `Monthly ${called} limit exceeded`
}

/** When to look again (ms) whether messages are left: when the next month begins, or earlier, because the limit may be raised. */
export function quotaUntil(now: number): number {
  return Math.min(startOfMonth(monthAt(now, 'UTC') + 1, 'UTC'), now + RECHECK_MS)
}

/**
 * The parts that exceed what is left of the quota. One message is enough for all if they may be combined, and it was counted if one of
 * them was charged. Those of an unreachable channel are tried one at a time.
 */
export function overQuota(
  parts: readonly Part[],
  { rules, quota, unreachableUntil }: Pick<ChannelState, 'rules' | 'quota' | 'unreachableUntil'>,
): Part[] {
  let left = quota.messages
  const wasCounted = unreachableUntil === null && parts.some(({ change }) => change.charged)
  if (rules.grouped && (left > 0 || wasCounted)) return []
  return parts.filter(({ change }) => !change.charged && left-- <= 0)
}
