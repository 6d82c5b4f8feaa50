/**
 * The claim: plans what is due for some channels and, in one transaction, claims what is sent at once and holds or
 * drops the rest. Only what is being sent is claimed. Decision 0102.
 */

import { MAX_PER_MINUTE } from '../../core/alerts/delivery/allowance.js'
import { type ChannelRules, receiverLimit } from '../../core/alerts/delivery/channel-rules.js'
import { planChannel } from '../../core/alerts/delivery/plan.js'
import { isCounted, quotaUntil } from '../../core/alerts/delivery/quota.js'
import { whyUnusable } from '../../core/alerts/delivery/unusable.js'
import type { Db } from '../db.js'
import { TRIED } from '../errors.js'
import type { OwnHearing } from '../instance/outages.js'
import { LOCK_WAIT } from '../locks.js'
import { announcedWrite, read } from '../method.js'
import { leftOf, lockQuotas, type QuotaCounts } from '../people/quotas.js'
import { takeFromLimits, usesLeft } from '../people/rate-limits.js'
import { type SilenceHolds, silenceHolds } from '../silences/silence-holds.js'
import { carryOut } from './carry-out.js'
import { retryTogether } from './charge-messages.js'
import { NOT_HELD } from './holds/held.js'
import { holdsOf } from './holds/holds-of.js'
import { outageHolds } from './holds/outage-holds.js'
import { endLeftovers } from './links/end-leftovers.js'
import { renewWaiting } from './links/renew-waiting.js'
import type { Planned, Take, TakeFrom, Taken } from './messages.js'
import { nextProbe } from './note-unreachable.js'
import { trimWaiting } from './waiting/trim-waiting.js'
import { toWaitingCheck, waitingFor } from './waiting/waiting.js'
import { lockChannels, type WaitingChannel } from './waiting/waiting-channel.js'
import type { WaitingRow } from './waiting/waiting-row.js'

/**
 * Claims messages of channels. A deleted channel has none. Fails if a row is locked for long, see `isLocked` in errors.ts:
 * a row of one channel must not delay the others.
 */
export const takeMessages = announcedWrite(async (db: Db, take: Take): Promise<Taken> => {
  const planned: Planned[] = []
  const large: number[] = []
  const inHand = new Set(take.inHand)
  const { endedBefore = take.now } = take
  const channels = await lockChannels(
    db,
    take.channels.map(({ channelId }) => channelId),
  )
  const counts = await lockQuotas(
    db,
    take.channels.flatMap(({ channelId, quota, combine }) => {
      const channel = channels.get(channelId)
      // What is combined joins a message that is counted already.
      return channel && quota && !combine ? [{ projectId: channel.projectId, name: quota.name }] : []
    }),
    take.now,
  )
  const silences = silenceHolds(db, take.now)
  const context = { now: take.now, endedBefore, own: take.own ?? null, inHand, counts, silences }
  for (const from of take.channels) {
    const channel = channels.get(from.channelId)
    const one = channel && (await planFor(db, context, from, channel))
    if (one === 'large') large.push(from.channelId)
    else if (one) planned.push(one)
  }
  const { messages, dropped, held, putOff } = await carryOut(db, take, planned)
  if (take.isTrial) throw Object.assign(new Error('only tried'), { code: TRIED })
  return { messages, dropped, held, putOff, large, alerts: dropped.length > 0, checks: false }
}, LOCK_WAIT)

/** The IDs of what {@link takeMessages} looks at of a channel, or somewhat more: those about a check together. */
export const waitingIds = read(
  async (db: Db, channelId: number, due: { now: number; endedBefore: number }): Promise<number[][]> => {
    const { checks, others } = await waitingFor(db, channelId, { ...due, most: PROBES })
    return [...checks, ...others.map(row => [row])].map(rows => rows.map(({ id }) => id))
  },
)

async function planFor(
  db: Db,
  {
    now,
    endedBefore,
    own,
    inHand,
    counts,
    silences,
  }: {
    now: number
    endedBefore: number
    own: OwnHearing | null
    inHand: ReadonlySet<number>
    counts: QuotaCounts
    silences: SilenceHolds
  },
  from: TakeFrom,
  channel: WaitingChannel,
): Promise<Planned | 'large'> {
  const rules = from.rules ?? NO_RULES
  const { combine = null, quota = null } = from
  const least = leastLookedAt(channel, now)
  const most = from.leavesLarge ? from.deliveries : Math.max(from.deliveries, least)
  const find = () => waitingFor(db, channel.id, { now, endedBefore, most })
  if (quota !== null && rules.grouped && combine === null) {
    await retryTogether.all(db, { channelId: channel.id, now })
  }
  let found = await find()
  if (from.leavesLarge && found.mayBeMore && (rules.grouped || least > 0)) return 'large'
  const isFree = ({ id }: WaitingRow) => !inHand.has(id)
  const unusable = whyUnusable(channel, from.rules !== null)
  if (
    unusable === '' &&
    (await endLeftovers(
      db,
      channel.id,
      found.checks.filter(rows => rows.every(isFree)),
      now,
    ))
  )
    found = await find()
  const others = found.others.filter(isFree)
  const notices = others.filter(({ change }) => change === null)
  const closings = others.filter(({ change }) => change !== null).map(row => [row])
  const free = found.checks.filter(rows => rows.every(isFree))
  const renewed = unusable === '' ? await Promise.all(free.map(rows => renewWaiting(db, rows, now))) : free
  const trimmed =
    unusable === '' || from.rules === null
      ? await Promise.all(renewed.map(rows => trimWaiting(db, rows, rules)))
      : renewed
  const checks = [...trimmed, ...closings]
  const historic = rules.grouped && !combine && checks.length <= MAX_PER_MINUTE
  const holds = await holdsOf(db, channel.id, checks, { now, silences })
  const outages = await outageHolds(db, channel.id, checks, { now, own })
  const waiting = await Promise.all(
    checks.map(rows => {
      const { checkId } = rows[0]!
      return toWaitingCheck(db, rows, holds.get(checkId) ?? NOT_HELD, outages.get(checkId) ?? null, historic)
    }),
  )
  const count = combine || quota === null ? null : counts(channel.projectId, quota.name)
  const plan = planChannel(
    {
      rules,
      usable: unusable === '' ? 'yes' : from.rules === null ? 'unknown' : 'not now',
      unreachableUntil: channel.unreachableAt === null ? null : (channel.probeAt ?? 0),
      sent: channel.sent,
      sending: from.sending,
      receiver: await usesLeft(db, rules.receiver && receiverLimit(rules.receiver), now),
      quota: { messages: leftOf(count, quota), until: quotaUntil(now) },
    },
    { checks: waiting, notices },
    { most: from.messages, combine: combine !== null },
    now,
  )
  // Other processes wait for this attempt.
  if (channel.unreachableAt !== null && plan.messages.length > 0) {
    await nextProbe.all(db, { channelId: channel.id, probeAt: now + PROBE_MS })
  }
  if (rules.receiver && !combine) {
    for (const _ of plan.messages) await takeFromLimits(db, [receiverLimit(rules.receiver)], now)
  }
  const rows = new Map([...checks.flat(), ...notices].map(row => [row.id, row]))
  if (count) {
    count.planned += plan.messages.filter(({ parts, noticeId }) =>
      isCounted(noticeId === null ? parts : [rows.get(noticeId)!]),
    ).length
  }
  return {
    channel,
    rules,
    quota,
    count,
    combine,
    plan,
    rows,
    history: new Map(waiting.flatMap(({ changes, history }) => changes.map(({ id }) => [id, history]))),
    unusable,
  }
}

/** The deliveries of an unreachable channel among which the least tried is sent on behalf of all. */
const PROBES = 500
/** How long (ms) that attempt may take before another one is made. */
const PROBE_MS = 60_000
/** Until then the deliveries wait; this many are postponed at once. */
const POSTPONED = 200

function leastLookedAt({ unreachableAt, probeAt }: WaitingChannel, now: number): number {
  if (unreachableAt === null) return 0
  return now < (probeAt ?? 0) ? POSTPONED : PROBES
}

/** The rules of an unknown kind: nothing is sent, and nothing is lost. */
const NO_RULES: ChannelRules = {
  down: true,
  up: true,
  grouped: false,
  keepsOpen: true,
  hourly: 0,
  receiver: null,
}
