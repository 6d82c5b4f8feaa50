/**
 * The claim: what is due for some channels is planned, and in one transaction what is to be sent at once is claimed, and
 * the rest held or dropped. So what is claimed is what is on its way. Decision 0102.
 */

import { MAX_PER_MINUTE } from '../../core/alerts/delivery/allowance.js'
import { type ChannelRules, receiverLimit } from '../../core/alerts/delivery/channel-rules.js'
import { planChannel } from '../../core/alerts/delivery/plan.js'
import { whyUnusable } from '../../core/alerts/delivery/unusable.js'
import type { Db } from '../db.js'
import { write } from '../method.js'
import { takeFromLimits, usesLeft } from '../people/rate-limits.js'
import { carryOut } from './carry-out.js'
import { renewWaiting } from './links/renew-waiting.js'
import type { Planned, Take, TakeFrom, Taken } from './messages.js'
import { nextProbe } from './note-unreachable.js'
import { trimWaiting } from './trim-waiting.js'
import { toWaitingCheck, type WaitingRow, waitingFor } from './waiting.js'
import { lockChannels, type WaitingChannel } from './waiting-channel.js'

/** Takes messages of channels. A channel that is gone has none. */
export const takeMessages = write(async (db: Db, take: Take): Promise<Taken> => {
  const planned: Planned[] = []
  const large: number[] = []
  const inHand = new Set(take.inHand)
  const channels = await lockChannels(
    db,
    take.channels.map(({ channelId }) => channelId),
  )
  for (const from of take.channels) {
    const channel = channels.get(from.channelId)
    const one = channel && (await planFor(db, { now: take.now, inHand }, from, channel))
    if (one === 'large') large.push(from.channelId)
    else if (one) planned.push(one)
  }
  return { ...(await carryOut(db, take, planned)), large }
})

async function planFor(
  db: Db,
  { now, inHand }: { now: number; inHand: ReadonlySet<number> },
  from: TakeFrom,
  channel: WaitingChannel,
): Promise<Planned | 'large'> {
  const rules = from.rules ?? NO_RULES
  const combine = from.combine ?? false
  const least = leastLookedAt(channel, now)
  const most = from.leavesLarge ? from.deliveries : Math.max(from.deliveries, least)
  const found = await waitingFor(db, channel.id, now, most)
  if (from.leavesLarge && found.mayBeMore && (rules.grouped || least > 0)) return 'large'
  const isFree = ({ id }: WaitingRow) => !inHand.has(id)
  const others = found.others.filter(isFree)
  const notices = others.filter(({ change }) => change === null)
  const closings = others.filter(({ change }) => change !== null).map(row => [row])
  const unusable = whyUnusable(channel, from.rules !== null)
  const free = found.checks.filter(rows => rows.every(isFree))
  const renewed = unusable === '' ? await Promise.all(free.map(rows => renewWaiting(db, rows, now))) : free
  const trimmed =
    unusable === '' || from.rules === null
      ? await Promise.all(renewed.map(rows => trimWaiting(db, rows, rules)))
      : renewed
  const checks = [...trimmed, ...closings]
  const historic = rules.grouped && !combine && checks.length <= MAX_PER_MINUTE
  const waiting = await Promise.all(checks.map(rows => toWaitingCheck(db, rows, historic)))
  const plan = planChannel(
    {
      rules,
      usable: unusable === '' ? 'yes' : from.rules === null ? 'unknown' : 'not now',
      unreachableUntil: channel.unreachableAt === null ? null : (channel.probeAt ?? 0),
      sent: channel.sent,
      sending: from.sending,
      receiver: await usesLeft(db, rules.receiver && receiverLimit(rules.receiver), now),
    },
    { checks: waiting, notices },
    { most: from.messages, combine },
    now,
  )
  // Another process waits for this one.
  if (channel.unreachableAt !== null && plan.messages.length > 0) {
    await nextProbe.all(db, { channelId: channel.id, probeAt: now + PROBE_MS })
  }
  if (rules.receiver && !combine) {
    for (const _ of plan.messages) await takeFromLimits(db, [receiverLimit(rules.receiver)], now)
  }
  return {
    channel,
    rules,
    plan,
    rows: new Map([...checks.flat(), ...notices].map(row => [row.id, row])),
    history: new Map(waiting.flatMap(({ changes, history }) => changes.map(({ id }) => [id, history]))),
    unusable,
  }
}

/** Of a channel that nothing arrives through: deliveries among which the one that was tried least is tried for all. */
const PROBES = 500
/** How long the one that is tried for all may take, should nobody ever say what came of it. */
const PROBE_MS = 60_000
/** Until then they only wait, and are put off a few at a time. */
const PUT_OFF = 200

function leastLookedAt({ unreachableAt, probeAt }: WaitingChannel, now: number): number {
  if (unreachableAt === null) return 0
  return now < (probeAt ?? 0) ? PUT_OFF : PROBES
}

/** Of a kind that this version does not know: nothing is sent, and nothing is lost. */
const NO_RULES: ChannelRules = {
  down: true,
  up: true,
  grouped: false,
  keepsOpen: true,
  hourly: 0,
  receiver: null,
}
