/** Whether an instance can send alerts and e-mails. Decision 0153. */

/** Failures for this long (ms) count. */
export const FAILING_AFTER_MS = 5 * 60_000

/** What was not tried for this long (ms) does not count: nobody sends it any more. */
export const UNTRIED_AFTER_MS = 6 * 3_600_000

/** If this many channels fail and none works, the fault is not in the receivers. */
const MANY_CHANNELS = 3

export interface SendingFacts {
  /** The number of channels through which something can be sent: enabled, confirmed, and no groups. */
  channels: number
  /** The number of those with something to send that have been failing for {@link FAILING_AFTER_MS}. */
  failing: number
  /** The number of those that were tried since the last arrival through any channel; 0 if that is not long ago. */
  failingSinceArrival: number
  /** Whether e-mails to people have been failing for {@link FAILING_AFTER_MS}. */
  mailsFail: boolean
}

/** Why nothing can be sent, or null. If other channels work, one that fails is no reason. */
export function sendingTrouble(facts: SendingFacts): string | null {
  const { channels, failing, failingSinceArrival, mailsFail } = facts
  if (mailsFail) return 'e-mails cannot be sent'
  const all = failing > 0 && failing >= channels
  return all || failingSinceArrival >= MANY_CHANNELS ? 'alerts cannot be sent' : null
}
