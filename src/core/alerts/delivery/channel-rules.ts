/** What a channel's kind and settings say about its messages. */
export interface ChannelRules {
  /** The directions that it wants. */
  down: boolean
  up: boolean
  /** People read it: alerts may be combined and held. What programs read is neither. */
  grouped: boolean
  /** Whether a down alert leaves something open there until it is closed: an incident, an alarm that repeats. */
  keepsOpen: boolean
  /** The most messages an hour; 0 for any number. */
  hourly: number
  /** How many messages a minute its receiver takes; null for any number. Channels with the same key share it. */
  receiver: { key: string; perMinute: number } | null
}

/** The limit of a receiver as a token bucket: see `RateLimit` of storage/people/rate-limits.ts. */
export function receiverLimit({ key, perMinute }: NonNullable<ChannelRules['receiver']>) {
  return { key, capacity: perMinute, periodMs: 60_000 }
}
