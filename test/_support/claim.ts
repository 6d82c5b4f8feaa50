import { mayMatter } from '../../src/actions/alerts/deliver.js'
import type { Notice } from '../../src/core/alerts/alert.js'
import type { AlertClass } from '../../src/core/alerts/delivery/allowance.js'
import type { ChannelRules } from '../../src/core/alerts/delivery/channel-rules.js'
import type { Quota } from '../../src/core/alerts/delivery/quota.js'
import type { ClaimedMessage, ClaimedPart, Take, Taken } from '../../src/storage/alerts/messages.js'
import type { Settlement } from '../../src/storage/alerts/settle/settlement.js'
import { isLocked } from '../../src/storage/errors.js'
import type { OwnHearing } from '../../src/storage/instance/outages.js'
import type { Store } from '../../src/storage/store.js'

/** A channel that wants all alerts, each in its own message. */
export const ANY: ChannelRules = {
  down: true,
  up: true,
  grouped: false,
  keepsOpen: false,
  hourly: 0,
  receiver: null,
}

export interface ClaimOptions {
  worker?: string
  rules?: Partial<ChannelRules>
  quota?: Quota | null
  leaseMs?: number
  inHand?: number[]
  messages?: number
  /** The maximum number of deliveries of a channel that are examined. */
  deliveries?: number
  sending?: Record<AlertClass, number>
  /** What the process that claims has heard, if it accepts pings. */
  own?: OwnHearing | null
}

/** Claims everything that is due at `now`, as a dispatcher does if all channels are of one kind. */
export async function claimMessages(
  store: Store,
  now: number,
  options: ClaimOptions = {},
): Promise<ClaimedMessage[]> {
  return (await takeMessages(store, now, options)).messages
}

/** As {@link claimMessages}, with what was held and dropped. */
export async function takeMessages(
  store: Store,
  now: number,
  {
    worker = 'me',
    rules = {},
    quota = null,
    leaseMs = 10_000,
    inHand = [],
    messages = 100,
    deliveries = 1_000,
    sending = { down: 0, other: 0 },
    own = null,
  }: ClaimOptions = {},
): Promise<Taken> {
  const { channels } = await store.alerts.dueChannels({ now, cursor: 0 })
  const take: Take = {
    worker,
    now,
    leaseUntil: now + leaseMs,
    inHand,
    own,
    channels: channels.map(({ id }) => ({
      channelId: id,
      rules: { ...ANY, ...rules },
      quota,
      messages,
      deliveries,
      sending,
    })),
  }
  return await whileLocked(() => store.alerts.takeMessages(take))
}

/** Tries again while another transaction has the channel locked, as the program does. */
async function whileLocked<R>(write: () => Promise<R>): Promise<R> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!isLocked(error)) throw error
    }
  }
}

type Outcome =
  | Settlement['outcome']
  | {
      type: 'retry'
      error: string
      /** The same for all parts, or that of each. */
      retryAt: number | ((part: ClaimedPart) => number | null)
      answered?: boolean
      unreachable?: Omit<Notice, 'now' | 'site'>
    }

/** Settles a claimed message. */
export async function settleMessage(
  store: Store,
  message: ClaimedMessage,
  now: number,
  outcome: Outcome | 'sent',
  worker = 'me',
): Promise<void> {
  const settlement = settlementOf(message, now, outcome, worker)
  await whileLocked(() => store.alerts.settleMessage(settlement))
}

/** What settling a claimed message needs. */
export function settlementOf(
  { channel, parts, counted, alertClass }: ClaimedMessage,
  now: number,
  outcome: Outcome | 'sent' = 'sent',
  worker = 'me',
): Settlement {
  const retryAt = typeof outcome === 'object' && outcome.type === 'retry' ? outcome.retryAt : null
  const retryAtOf = typeof retryAt === 'function' ? retryAt : () => retryAt
  return {
    worker,
    channelId: channel.id,
    sentWith: channel,
    parts: parts.map(part => ({
      deliveryUuid: part.uuid,
      notificationUuid: part.notificationUuid,
      checkId: part.checkId,
      changedAt: part.flip?.createdAt ?? now,
      reports: part.due?.reports ?? null,
      retryAt: retryAtOf(part),
      mayMatter: mayMatter(part),
      endsLink: part.closing !== null && part.checkId !== null,
    })),
    ...(counted && { counted }),
    startedAt: now,
    durationMs: 5,
    now,
    outcome:
      outcome === 'sent'
        ? { type: 'sent', alertClass, flapping: null }
        : outcome.type === 'retry'
          ? // A function cannot be sent to the thread of the database.
            { ...outcome, type: 'failed', ...{ retryAt: undefined } }
          : outcome,
  }
}
