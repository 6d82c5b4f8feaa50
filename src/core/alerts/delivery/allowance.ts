/**
 * The allowance of messages for a channel that people read, so that they keep reading it. Channels that programs read
 * are not limited. Decision 0060.
 */
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * The maximum number of messages sent one by one within a minute; more wait and are combined. Down alerts have the same
 * allowance of their own.
 */
export const MAX_PER_MINUTE = 5

/** The class of a message: `down` if it reports at least one check that is down, else `other`, which can wait. */
export type AlertClass = 'down' | 'other'

/** The messages sent since an instant, by class; null: none yet. */
export interface Count {
  from: number | null
  down: number
  other: number
}

/** The counts for the minute and the hour that began with their first message. */
export interface SentCounts {
  minute: Count
  hour: Count
}

/** The number of messages that may be sent now; or none until an instant, because of a limit. */
export type Allowance = { messages: number } | { messages: 0; until: number; limit: 'minute' | 'hour' }

/** The class of a message about changes to these statuses (null: a notice). */
export function classOf(statuses: readonly (string | null)[]): AlertClass {
  return statuses.includes('down') ? 'down' : 'other'
}

/**
 * The allowance at `now` for messages of a class. Down alerts count only against down alerts, so that other messages
 * never delay them. `hourly`: the most messages an hour; 0 for no limit.
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

/** The counts after one more message at `now`. */
export function withOneMore(sent: SentCounts, alertClass: AlertClass, now: number): SentCounts {
  return {
    minute: oneMore(current(sent.minute, MINUTE_MS, now), alertClass, now),
    hour: oneMore(current(sent.hour, HOUR_MS, now), alertClass, now),
  }
}

/** A count that has expired, or that began in the future because the clock was set back, is empty. */
function current(count: Count, lengthMs: number, now: number): Count {
  const counts = count.from !== null && count.from > now - lengthMs && count.from <= now
  return counts ? count : { from: null, down: 0, other: 0 }
}

function oneMore({ from, down, other }: Count, alertClass: AlertClass, now: number): Count {
  return { from: from ?? now, down, other, [alertClass]: { down, other }[alertClass] + 1 }
}
