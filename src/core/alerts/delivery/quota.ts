/**
 * Monthly quotas of messages that cost money. What exceeds one is held until messages are left again. A message that is counted has a
 * number, and so has each delivery in it: it covers one message that arrives, however often that is tried. Pure. Decision 0102.
 */
import { monthAt, startOfMonth } from '../../time/calendar.js'
import { type HoldReason, isHold } from './change.js'
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

/** Whether a message of these counts: none was in a message that was counted and has not arrived. */
export function isCounted(parts: readonly Pick<Part, 'charged'>[]): boolean {
  return parts.every(({ charged }) => charged === 0)
}

/**
 * Whether a delivery keeps its number while it waits for this reason. A hold may last, and others may need the message, so that one that is
 * held is counted anew when it is sent; one that is delayed, as by its receiver, keeps its place.
 */
export function keepsNumber(reason: HoldReason): boolean {
  return reason === 'quota' || !isHold(reason)
}

/**
 * The parts that exceed what is left of the quota. A part needs none if it has the number of a counted message. One message is enough
 * for all if they may be combined.
 */
export function overQuota(
  parts: readonly Part[],
  { rules, quota }: Pick<ChannelState, 'rules' | 'quota'>,
): Part[] {
  let left = quota.messages
  if (rules.grouped && (left > 0 || !isCounted(parts))) return []
  return parts.filter(part => needsAnother(part, parts) && left-- <= 0)
}

/** Whether parts that may be combined have to be: some were counted as one message, or more messages than are left would be counted. */
export function mustCombine(parts: readonly Part[], { quota }: Pick<ChannelState, 'quota'>): boolean {
  const needing = parts.filter(part => needsAnother(part, parts))
  return needing.length > quota.messages || needing.some(({ charged }) => charged !== 0)
}

/** Whether a message of the part alone is counted if the parts before it are sent one by one too: a number pays for one message. */
function needsAnother(part: Part, parts: readonly Part[]): boolean {
  return part.charged === 0 || parts.find(({ charged }) => charged === part.charged) !== part
}
