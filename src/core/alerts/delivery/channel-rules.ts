/** The rules for a channel's messages, from its kind and settings. */
export interface ChannelRules {
  /** Whether it wants down alerts, and recoveries. */
  down: boolean
  up: boolean
  /** Whether people read it, so that alerts may be combined and held. Alerts to programs are neither. */
  grouped: boolean
  /** Whether a down alert opens something that has to be closed: an incident, or an alarm that repeats. */
  keepsOpen: boolean
  /** The maximum number of messages an hour; 0 for no limit. */
  hourly: number
  /** The rate limit of its receiver, in messages a minute; null for no limit. Channels with the same key share it. */
  receiver: { key: string; perMinute: number } | null
}

/** The limit of a receiver as a token bucket: see `RateLimit` of storage/people/rate-limits.ts. */
export function receiverLimit({ key, perMinute }: NonNullable<ChannelRules['receiver']>) {
  return { key, capacity: perMinute, periodMs: 60_000 }
}
