/** What waits for a channel that people read: told one by one, told together, or held. Rules: core/noise.ts. */
import { afterFlapping, counted, type News, newsOf, type Room, roomFor, toldTogether } from '../core/noise.js'
import { hourlyLimitOf } from '../integrations/common-fields.js'
import { integrationOf } from '../integrations/index.js'
import type { ClaimedDelivery } from '../storage/deliveries.js'
import { deliver, judge, settle } from './deliver.js'
import { deliverTogether, slim, type TurnDeps } from './deliver-together.js'
import { limitNotice } from './limit-notice.js'

/** Claimed at once for one message, and in all. */
const SLICE = 500
const MOST_TOGETHER = 2_000

/**
 * Deals with claimed deliveries of one channel. Nobody else of this process may do so at the same time: what the
 * channel was told is counted from what `deliveries` brought. Rejects only when the database fails.
 */
export async function deliverTurn(
  deps: TurnDeps,
  deliveries: readonly ClaimedDelivery[],
  signal: AbortSignal,
): Promise<void> {
  const { channel, channelId } = deliveries[0]!
  const hourly = hourlyLimitOf(channel.settings)
  let told = channel.told
  const send = async (some: readonly ClaimedDelivery[]) => {
    const outcomes = await Promise.all(some.map(delivery => deliver(deps, delivery, signal)))
    for (const outcome of outcomes) {
      if (outcome?.type === 'sent') told = counted(told, outcome.news, deps.clock.now())
    }
  }
  // Notices are never merged, which would lose what they say.
  const ready = async (some: readonly ClaimedDelivery[]) => {
    await send(some.filter(({ notice }) => notice !== null))
    return await sendable(
      deps,
      some.filter(({ notice }) => notice === null),
    )
  }
  let waiting = await ready(deliveries)
  while (waiting.length > 0 && !signal.aborted) {
    const together = toldTogether(waiting)
    // Falls go first; in one message they take along what else waits.
    const news = newsOf(waiting)
    const next = together ? waiting : waiting.filter(delivery => newsOf([delivery]) === news)
    const room = roomFor(told, news, hourly, deps.clock.now())
    // Where falls have no room, nothing has.
    if ('until' in room) return await hold(deps, waiting, news, hourly, room)
    if (together) {
      return await deliverTogether(
        deps,
        [...waiting, ...(await gather(deps, channelId, waiting, ready))],
        signal,
      )
    }
    const now = next.slice(0, room.messages)
    await send(now)
    waiting = waiting.filter(delivery => !now.includes(delivery))
  }
}

/** Takes on whatever else waits for the channel, besides what is in hand, and returns what `ready` leaves of it. */
async function gather(
  deps: TurnDeps,
  channelId: number,
  inHand: readonly ClaimedDelivery[],
  ready: (some: readonly ClaimedDelivery[]) => Promise<ClaimedDelivery[]>,
): Promise<ClaimedDelivery[]> {
  const found: ClaimedDelivery[] = []
  while (found.length < MOST_TOGETHER) {
    const now = deps.clock.now()
    const leaseUntil = now + deps.leaseMs
    const claimed = await deps.store.claimDeliveries({
      worker: deps.worker,
      now,
      leaseUntil,
      limit: SLICE,
      busyChannels: [],
      inHand: [...inHand, ...found].map(({ id }) => id),
      onlyChannel: channelId,
    })
    if (claimed.length === 0) break
    found.push(...(await ready(claimed)))
  }
  return found
}

/** Those that are to be sent now; the others are settled, or held since their check flaps. */
async function sendable(deps: TurnDeps, deliveries: readonly ClaimedDelivery[]): Promise<ClaimedDelivery[]> {
  const now = deps.clock.now()
  const found = await Promise.all(
    deliveries.map(async delivery => {
      const outcome = judge(delivery)
      if (outcome) {
        await settle(deps, delivery, now, outcome)
        return []
      }
      const changedAt = delivery.flip?.createdAt ?? now
      const newest = delivery.newer.at(-1)?.at ?? changedAt
      const after = afterFlapping(delivery.flapping, changedAt, newest, now)
      if (after.state !== 'held') return [delivery]
      await deps.store.holdDeliveries({
        worker: deps.worker,
        channelId: delivery.channelId,
        until: after.until,
        now,
        deliveries: [slim(delivery)],
        why: { type: 'flapping', changedAt },
      })
      return []
    }),
  )
  return found.flat()
}

/** Keeps what waits until there is room again: all of it where it tells of a fall, else all but falls. */
async function hold(
  deps: TurnDeps,
  waiting: readonly ClaimedDelivery[],
  news: News,
  hourly: number,
  room: Extract<Room, { until: number }>,
): Promise<void> {
  const { channel, channelId } = waiting[0]!
  const now = deps.clock.now()
  const holds = news === 'fall' ? 'all' : 'all but falls'
  const announce =
    room.limit === 'hour'
      ? limitNotice(deps.site, channel, holds, hourly, room.until, now, await zoneOf(deps, channel))
      : null
  await deps.store.holdDeliveries({
    worker: deps.worker,
    channelId,
    until: room.until,
    now,
    deliveries: waiting.map(slim),
    why: { type: 'channel', holds, announce },
  })
  if (room.limit === 'hour') deps.changes.tell('deliveries', {})
}

/** The zone of whoever reads what goes through a channel, else of whoever owns its project. */
async function zoneOf(deps: TurnDeps, channel: ClaimedDelivery['channel']): Promise<string> {
  const address = integrationOf(channel.kind)?.recipient?.(channel.settings) ?? ''
  return (await deps.store.recipientFacts(channel.uuid, address)).timeZone ?? 'UTC'
}
