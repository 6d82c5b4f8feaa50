/**
 * How many messages a channel that people read may be sent, so that they go on reading them. What programs read is never
 * limited. Decision 0060.
 */
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * The most messages within a minute that are sent one by one; what comes beyond waits and is combined. Down alerts have
 * as many of their own.
 */
export const MAX_PER_MINUTE = 5

/** What a message is about: a check that is down, maybe beside other things, or nothing that people cannot wait for. */
export type AlertClass = 'down' | 'other'

/** Messages sent from an instant on, by class; null: none yet. */
export interface Count {
  from: number | null
  down: number
  other: number
}

/** What was sent within the minute and the hour that began with their first message. */
export interface SentCounts {
  minute: Count
  hour: Count
}

/** What may be sent now: a number of messages, or none until an instant, and because of which limit. */
export type Allowance = { messages: number } | { messages: 0; until: number; limit: 'minute' | 'hour' }

/** The class of a message about changes to these statuses (null: a notice). */
export function classOf(statuses: readonly (string | null)[]): AlertClass {
  return statuses.includes('down') ? 'down' : 'other'
}

/**
 * The allowance at `now` for messages of a class. A down alert waits for down alerts alone, never because of what else
 * was sent. `hourly`: the most messages an hour; 0 for any number.
 */
export function allowanceFor(
  sent: SentCounts,
  alertClass: AlertClass,
  hourly: number,
  now: number,
): Allowance {
  const minute = current(sent.minute, MINUTE_MS, now)
  const hour = current(sent.hour, HOUR_MS, now)
  const counted = ({ down, other }: Count) => (alertClass === 'down' ? down : down + other)
  const leftThisHour = hourly === 0 ? Number.POSITIVE_INFINITY : hourly - counted(hour)
  if (leftThisHour <= 0) return { messages: 0, until: (hour.from ?? now) + HOUR_MS, limit: 'hour' }
  const leftThisMinute = MAX_PER_MINUTE - counted(minute)
  if (leftThisMinute <= 0) return { messages: 0, until: (minute.from ?? now) + MINUTE_MS, limit: 'minute' }
  return { messages: Math.min(leftThisMinute, leftThisHour) }
}

/** The counts once one more message is sent at `now`. */
export function withOneMore(sent: SentCounts, alertClass: AlertClass, now: number): SentCounts {
  return {
    minute: oneMore(current(sent.minute, MINUTE_MS, now), alertClass, now),
    hour: oneMore(current(sent.hour, HOUR_MS, now), alertClass, now),
  }
}

/** A count that ran out, or was begun by a clock since set back, counts nothing. */
function current(count: Count, lengthMs: number, now: number): Count {
  const counts = count.from !== null && count.from > now - lengthMs && count.from <= now
  return counts ? count : { from: null, down: 0, other: 0 }
}

function oneMore({ from, down, other }: Count, alertClass: AlertClass, now: number): Count {
  return { from: from ?? now, down, other, [alertClass]: { down, other }[alertClass] + 1 }
}
