import { channelRules } from '../../integrations/channel-rules.js'
import { integrationOf } from '../../integrations/index.js'
import type { Clock } from '../../lib/clock.js'
import { withinTurn } from '../../lib/fair/fair-queue.js'
import type { DueChannel } from '../../storage/alerts/due-channels.js'
import type { ClaimedMessage, TakeFrom } from '../../storage/alerts/messages.js'
import { isChanged } from '../../storage/alerts/settle/settlement.js'
import { isLocked, mayBeOneRow } from '../../storage/errors.js'
import type { OwnHearing } from '../../storage/instance/outages.js'
import type { StoreWith } from '../../storage/store.js'
import type { PingQueue } from '../pings/record-pings.js'
import { settleArrived } from '../pings/settle-arrived.js'
import { quotaOf } from './charge-quota.js'
import type { DeliverDeps } from './deliver.js'

export interface TakeDeps extends Pick<DeliverDeps, 'worker' | 'quotas' | 'onDelivery' | 'onHeld'> {
  store: StoreWith<'alerts.takeMessages'>
  clock: Clock
  /** The name and the ping queue of this process; null or absent if it does not accept pings. */
  own?: OwnPings | null
}

/** A process that accepts pings. */
export interface OwnPings {
  process: string
  pings: Pick<PingQueue, 'hearing' | 'oldestAt' | 'settled'>
}

/** How much to take from a channel; see `TakeFrom` in storage/alerts/take-messages.ts. */
export type Wanted = Pick<TakeFrom, 'messages' | 'sending'> & { channel: DueChannel }

/** How long (ms) messages are claimed, and what is claimed already: by this process for sending, and by others. */
export interface TakeOptions {
  leaseMs: number
  inHand: readonly number[]
  /** Deliveries that are not claimed, nor any other about their checks. */
  leftOut: readonly number[]
  /** Whether the claim is undone at once, by failing with the code `TRIED`. */
  isTrial?: boolean
  /** Claims that ended before this instant (ms) are taken over. */
  endedBefore: number
}

export interface Took {
  messages: ClaimedMessage[]
  /** How many deliveries were dropped. */
  dropped: number
  /** How many were put off by silences, dependencies and outages. */
  putOff: number
  /** The channels that need a transaction of their own. */
  large: ReadonlySet<number>
}

/**
 * The maximum number of deliveries of a channel read by people that are taken together with those of other channels.
 * More are "large".
 */
export const SMALL = 16
/**
 * For a large channel: how many deliveries one transaction examines, and the maximum number that one message combines.
 */
const BATCH = 250
const MAX_COMBINED = 2_000

/** Whether people, rather than programs, read the channel's messages. */
export function isRead({ kind, settings }: Pick<DueChannel, 'kind' | 'settings'>): boolean {
  return channelRules(kind, settings)?.grouped ?? false
}

/** Whether the channel's receiver is rate-limited, so that other channels may share the limit. */
export function sharesReceiver({ kind }: { kind?: string }): boolean {
  return kind !== undefined && integrationOf(kind)?.limit !== undefined
}

/** Whether a channel's messages are sent through the mail server, which all projects share. */
export function isMail({ kind }: { kind?: string }): boolean {
  return kind === 'email'
}

/**
 * Claims messages of channels in one transaction. Deliveries that are dropped are logged. Fails if one of them is locked for long;
 * see `isLocked` in storage/errors.ts.
 */
export async function takeMessages(
  deps: TakeDeps,
  wanted: readonly Wanted[],
  options: TakeOptions,
): Promise<Took> {
  const channels = wanted.map(one => takeFrom(deps, one, options, { grouped: SMALL, leavesLarge: true }))
  return await take(deps, channels, options)
}

/**
 * Claims messages of one channel with many deliveries, in several transactions, for as long as `goesOn` returns true.
 * What may be sent along with a digest joins it.
 */
export async function takeLarge(
  deps: TakeDeps,
  wanted: Wanted,
  options: TakeOptions,
  goesOn: () => boolean,
): Promise<Took> {
  const from = takeFrom(deps, wanted, options, { grouped: BATCH, leavesLarge: false })
  const took = await take(deps, [from], options)
  for (const message of took.messages) {
    if (message.form !== 'digest') continue
    while (message.parts.length < MAX_COMBINED && goesOn()) {
      const ids = message.parts.map(({ id }) => id)
      const more = await take(deps, [{ ...from, combine: message.parts[0]! }], {
        ...options,
        inHand: [...options.inHand, ...ids],
      }).catch(nothingIfRefused)
      const [next] = more.messages
      if (!next) break
      if (isChanged(next.channel, message.channel)) {
        // The channel may have another destination now, so what is claimed since is a message of its own.
        // It has the number of the other, and is counted when both have arrived.
        took.messages.push({ ...next, ...(message.counted && { counted: message.counted }) })
        break
      }
      message.parts.push(...next.parts)
      if (next.alertClass === 'down') message.alertClass = 'down'
    }
  }
  return took
}

/** The rest follows later. */
function nothingIfRefused(error: unknown): Pick<Took, 'messages'> {
  if (!isLocked(error) && !mayBeOneRow(error)) throw error
  return { messages: [] }
}

async function take(
  deps: TakeDeps,
  channels: readonly TakeFrom[],
  { leaseMs, inHand, leftOut, isTrial = false, endedBefore }: TakeOptions,
): Promise<Took> {
  const wasBusy = await settleIfBusy(deps)
  const now = deps.clock.now()
  const { worker } = deps
  const taken = await deps.store.alerts.takeMessages({
    worker,
    now,
    leaseUntil: now + leaseMs,
    channels,
    inHand: [...inHand, ...leftOut],
    isTrial,
    endedBefore: Math.min(endedBefore, now),
    own: hearingOf(deps, now, wasBusy),
  })
  for (const { channel, reason, error, createdAt } of taken.dropped) {
    const event = { channel: channel.uuid, kind: channel.kind, outcome: reason, isDropped: true }
    deps.onDelivery({ ...event, ...(error ? { error } : {}), durationMs: 0, lagMs: now - createdAt })
  }
  deps.onHeld?.(taken.held)
  const { messages, dropped, putOff, large } = taken
  return { messages, dropped: dropped.length, putOff, large: new Set(large) }
}

/** Pings that wait longer than this (ms) to be recorded may wait because of trouble. */
const SLOW_MS = 500

/** How long (ms) claims wait for what has arrived: half a second to look for connections, and longer than `SLOW_MS` for their pings. */
const SETTLE_MS = 1_500

/**
 * After a moment in which this process could do nothing, what has reached the system meanwhile is recorded first: it may say that a check
 * is up again. What takes longer than usual then counts as trouble. Returns whether there was such a moment.
 */
async function settleIfBusy({ own }: TakeDeps): Promise<boolean> {
  if (!own || own.pings.hearing.stalls.unreadFor() === 0) return false
  await withinTurn(settleArrived(own.pings), SETTLE_MS)
  return true
}

/**
 * What this process has heard. Pings that wait for a batch or a lock count if they do for longer than usual: nearly always there are some.
 * Those that may not have reached the system do not. `wasBusy`: whether it has just been looked for connections that wait.
 */
function hearingOf({ own }: TakeDeps, now: number, wasBusy: boolean): OwnHearing | null {
  if (!own) return null
  const { process, pings } = own
  const { hearing } = pings
  // Asked first: it notices that the process was frozen.
  const heardUntil = hearing.heardUntil(now)
  const isLate = (at: number) => now - at > SLOW_MS
  const isSlow = pings.oldestAt !== null && isLate(pings.oldestAt)
  const isTroubled = hearing.missed.since() !== null || isSlow || (wasBusy && hearing.doors.waitingFor() > 0)
  const late = Object.entries(hearing.behind()).filter(([, at]) => isLate(at))
  return {
    process,
    heardUntil: isTroubled ? heardUntil : now,
    behind: { ...hearing.missed.behind(), ...Object.fromEntries(late) },
  }
}

function takeFrom(
  deps: Pick<TakeDeps, 'quotas'>,
  { channel, messages, sending }: Wanted,
  { leftOut }: TakeOptions,
  { grouped, leavesLarge }: { grouped: number; leavesLarge: boolean },
): TakeFrom {
  const rules = channelRules(channel.kind, channel.settings)
  // What is left out is looked at, too.
  const deliveries = (rules?.grouped ? grouped : messages) + leftOut.length
  const integration = integrationOf(channel.kind)
  const quota = integration ? quotaOf(integration, deps) : null
  return { channelId: channel.id, rules, quota, messages, deliveries, sending, leavesLarge }
}
