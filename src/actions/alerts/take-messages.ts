import { channelRules } from '../../integrations/channel-rules.js'
import type { Changes } from '../../lib/changes.js'
import type { Clock } from '../../lib/clock.js'
import type { DueChannel } from '../../storage/alerts/due-channels.js'
import type { ClaimedMessage, TakeFrom } from '../../storage/alerts/messages.js'
import type { StoreWith } from '../../storage/store.js'
import type { DeliverDeps } from './deliver-deps.js'

export interface TakeDeps extends Pick<DeliverDeps, 'worker' | 'onDelivery'> {
  store: StoreWith<'alerts.takeMessages'>
  clock: Clock
  changes: Changes
}

/** What is wanted of a channel; see `TakeFrom` of storage/alerts/take-messages.ts. */
export type Wanted = Pick<TakeFrom, 'messages' | 'sending'> & { channel: DueChannel }

/** Deliveries looked at for one channel that people read, and the most that are combined in one message. */
const LOOKED_AT = 500
const MOST_COMBINED = 2_000

/**
 * Claims messages of channels for `leaseMs`. `inHand`: the deliveries that are being sent. What is not sent at all goes
 * to the log.
 */
export async function takeMessages(
  deps: TakeDeps,
  wanted: readonly Wanted[],
  { leaseMs, inHand }: { leaseMs: number; inHand: readonly number[] },
): Promise<{ messages: ClaimedMessage[]; dropped: number }> {
  const take = async (channels: TakeFrom[], alsoInHand: readonly number[] = []) => {
    const now = deps.clock.now()
    const taken = await deps.store.alerts.takeMessages({
      worker: deps.worker,
      now,
      leaseUntil: now + leaseMs,
      channels,
      inHand: [...inHand, ...alsoInHand],
    })
    for (const { channel, reason, error, createdAt } of taken.dropped) {
      const event = { channel: channel.uuid, kind: channel.kind, outcome: reason }
      deps.onDelivery({ ...event, ...(error ? { error } : {}), durationMs: 0, lagMs: now - createdAt })
    }
    return taken
  }
  const { messages, dropped } = await take(wanted.map(toTakeFrom))
  for (const message of messages) {
    const from = wanted.find(({ channel }) => channel.id === message.channel.id)!
    if (message.form !== 'digest') continue
    // What else may be sent joins it.
    while (message.parts.length < MOST_COMBINED) {
      const ids = message.parts.map(({ id }) => id)
      const more = await take([{ ...toTakeFrom(from), combine: true }], ids)
      const parts = more.messages.flatMap(one => one.parts)
      if (parts.length === 0) break
      message.parts.push(...parts)
      if (more.messages.some(({ alertClass }) => alertClass === 'down')) message.alertClass = 'down'
    }
  }
  if (dropped.length > 0) deps.changes.tell('deliveries', {})
  return { messages, dropped: dropped.length }
}

function toTakeFrom({ channel, messages, sending }: Wanted): TakeFrom {
  const rules = channelRules(channel.kind, channel.settings)
  return {
    channelId: channel.id,
    rules,
    messages,
    deliveries: rules?.grouped ? LOOKED_AT : messages,
    sending,
  }
}
