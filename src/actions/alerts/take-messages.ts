import { channelRules } from '../../integrations/channel-rules.js'
import { integrationOf } from '../../integrations/index.js'
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

/** For how long messages are claimed (ms), and the deliveries of their channels that are being sent. */
export interface TakeOptions {
  leaseMs: number
  inHand: readonly number[]
}

export interface Took {
  messages: ClaimedMessage[]
  /** How many deliveries are not sent at all. */
  dropped: number
  /** The channels that are to be taken from alone. */
  large: ReadonlySet<number>
}

/** Up to so many deliveries of a channel that people read are taken together with those of others; more are large. */
export const SMALL = 16
/** Of a large one so many are looked at in one transaction, and so many are combined in one message at most. */
const LOOKED_AT = 250
const MOST_COMBINED = 2_000

/** Whether people read what a channel is sent. */
export function isRead({ kind, settings }: Pick<DueChannel, 'kind' | 'settings'>): boolean {
  return channelRules(kind, settings)?.grouped ?? false
}

/** Whether other channels may send to the same receiver, which takes few messages. */
export function sharesReceiver({ kind }: { kind?: string }): boolean {
  return kind !== undefined && integrationOf(kind)?.limit !== undefined
}

/** Claims messages of channels in one transaction. What is not sent at all goes to the log. */
export async function takeMessages(
  deps: TakeDeps,
  wanted: readonly Wanted[],
  options: TakeOptions,
): Promise<Took> {
  const channels = wanted.map(one => takeFrom(one, { grouped: SMALL, leavesLarge: true }))
  return await take(deps, channels, options)
}

/**
 * Claims messages of one channel that much waits for, in a transaction each for parts of it, for as long as `goesOn`. What
 * may be sent beside a message about many joins it.
 */
export async function takeLarge(
  deps: TakeDeps,
  wanted: Wanted,
  { leaseMs, inHand }: TakeOptions,
  goesOn: () => boolean,
): Promise<Took> {
  const from = takeFrom(wanted, { grouped: LOOKED_AT, leavesLarge: false })
  const took = await take(deps, [from], { leaseMs, inHand })
  for (const message of took.messages) {
    if (message.form !== 'digest') continue
    while (message.parts.length < MOST_COMBINED && goesOn()) {
      const ids = message.parts.map(({ id }) => id)
      const more = await take(deps, [{ ...from, combine: true }], { leaseMs, inHand: [...inHand, ...ids] })
      const parts = more.messages.flatMap(one => one.parts)
      if (parts.length === 0) break
      message.parts.push(...parts)
      if (more.messages.some(({ alertClass }) => alertClass === 'down')) message.alertClass = 'down'
    }
  }
  return took
}

async function take(
  deps: TakeDeps,
  channels: readonly TakeFrom[],
  { leaseMs, inHand }: TakeOptions,
): Promise<Took> {
  const now = deps.clock.now()
  const { worker } = deps
  const taken = await deps.store.alerts.takeMessages({
    worker,
    now,
    leaseUntil: now + leaseMs,
    channels,
    inHand,
  })
  for (const { channel, reason, error, createdAt } of taken.dropped) {
    const event = { channel: channel.uuid, kind: channel.kind, outcome: reason }
    deps.onDelivery({ ...event, ...(error ? { error } : {}), durationMs: 0, lagMs: now - createdAt })
  }
  if (taken.dropped.length > 0) deps.changes.emit('deliveries', {})
  return { messages: taken.messages, dropped: taken.dropped.length, large: new Set(taken.large) }
}

function takeFrom(
  { channel, messages, sending }: Wanted,
  { grouped, leavesLarge }: { grouped: number; leavesLarge: boolean },
): TakeFrom {
  const rules = channelRules(channel.kind, channel.settings)
  const deliveries = rules?.grouped ? grouped : messages
  return { channelId: channel.id, rules, messages, deliveries, sending, leavesLarge }
}
