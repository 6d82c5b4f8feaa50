/**
 * When alerts are told one by one, when together, and when they wait, so that people go on reading them. It
 * concerns channels that people read; what machines are told is never merged nor held. Decision 0060.
 */
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * So many messages within a minute are told one by one; what comes beyond waits and is told together. Falls have as
 * many of their own.
 */
export const HANDFUL = 5

/** So many changes within an hour are too many to be told one by one. */
export const FLAPPING_CHANGES = 6

/** A check that flapped is told of again when it has not changed for so long. */
export const STEADY_MS = 15 * MINUTE_MS

/** What a message tells of: a fall, maybe beside other things, or nothing that people cannot wait for. */
export type News = 'fall' | 'other'

/** Messages counted from an instant on, by what they tell of; null: none yet. */
export interface Count {
  from: number | null
  falls: number
  others: number
}

/** What a channel was told within the minute and the hour that began with their first message. */
export interface Told {
  minute: Count
  hour: Count
}

/** What may be sent now: so many messages, or none until an instant, and because of which limit. */
export type Room = { messages: number } | { messages: 0; until: number; limit: 'minute' | 'hour' }

/** What a message tells of that tells of these status changes (null: of none). */
export function newsOf(changes: readonly { flip: { newStatus: string } | null }[]): News {
  return changes.some(({ flip }) => flip?.newStatus === 'down') ? 'fall' : 'other'
}

/**
 * The room that a channel has at `now` for messages with such news. A fall waits for falls alone, never because of
 * what else was told. `hourly`: how many messages an hour the channel takes; 0 for any number.
 */
export function roomFor(told: Told, news: News, hourly: number, now: number): Room {
  const minute = current(told.minute, MINUTE_MS, now)
  const hour = current(told.hour, HOUR_MS, now)
  const counts = ({ falls, others }: Count) => (news === 'fall' ? falls : falls + others)
  const leftThisHour = hourly === 0 ? Number.POSITIVE_INFINITY : hourly - counts(hour)
  if (leftThisHour <= 0) return { messages: 0, until: (hour.from ?? now) + HOUR_MS, limit: 'hour' }
  const leftThisMinute = HANDFUL - counts(minute)
  if (leftThisMinute <= 0) return { messages: 0, until: (minute.from ?? now) + MINUTE_MS, limit: 'minute' }
  return { messages: Math.min(leftThisMinute, leftThisHour) }
}

/** What a channel was told once it is told one message more at `now`. */
export function counted(told: Told, news: News, now: number): Told {
  return {
    minute: withOneMore(current(told.minute, MINUTE_MS, now), news, now),
    hour: withOneMore(current(told.hour, HOUR_MS, now), news, now),
  }
}

/**
 * Whether the alerts that wait for a channel are told in one message: more than a handful, or several of which one was
 * `held` before, with the promise of one message.
 */
export function toldTogether(alerts: readonly { held: boolean }[]): boolean {
  return alerts.length > HANDFUL || (alerts.length > 1 && alerts.some(({ held }) => held))
}

/**
 * Whether a check flaps at `now`. `changes` are the instants of the changes that people are told of, newest first,
 * at least the last {@link FLAPPING_CHANGES} where there are as many.
 */
export function isFlapping(changes: readonly number[], now: number): boolean {
  const newest = changes[0]
  const oldest = changes[FLAPPING_CHANGES - 1]
  if (newest === undefined || oldest === undefined) return false
  return newest - oldest <= HOUR_MS && now - newest < STEADY_MS
}

/** How many of `changes`, newest first, lie within the hour that ends with the newest. */
export function changesWithinAnHour(changes: readonly number[]): number {
  return changes.filter(at => changes[0]! - at <= HOUR_MS).length
}

/** What a channel knows of a check that flapped: when it was told, and the last change held back from it. */
export interface Flapping {
  toldAt: number
  changedAt: number
}

/**
 * What becomes of a change at `changedAt` (`newest`: the newest change that waits behind it) of a check that the
 * channel was told is flapping. `calm`: that was another time. `held`: not before `until`. `steady`: it is told.
 */
export function afterFlapping(
  flapping: Flapping | null,
  changedAt: number,
  newest: number,
  now: number,
): { state: 'calm' } | { state: 'held'; until: number } | { state: 'steady' } {
  if (flapping === null || changedAt - flapping.changedAt >= STEADY_MS) return { state: 'calm' }
  const until = Math.max(changedAt, newest) + STEADY_MS
  return now < until ? { state: 'held', until } : { state: 'steady' }
}

/** A count that ran out, or was begun by a clock since set back, holds nothing. */
function current(count: Count, lengthMs: number, now: number): Count {
  const counts = count.from !== null && count.from > now - lengthMs && count.from <= now
  return counts ? count : { from: null, falls: 0, others: 0 }
}

function withOneMore({ from, falls, others }: Count, news: News, now: number): Count {
  const more = news === 'fall' ? { falls: falls + 1, others } : { falls, others: others + 1 }
  return { from: from ?? now, ...more }
}
