import { type HoldReason, isHold } from '../../core/alerts/delivery/change.js'
import { keepsNumber } from '../../core/alerts/delivery/quota.js'
import { WHEN_ENABLED } from '../channels/disable-channel.js'
import { unclaimed } from '../claims.js'
import type { Db } from '../db.js'
import { preparedList } from '../prepared.js'
import { chargeMessages } from './charge-messages.js'
import { claimMessages } from './claim-messages.js'
import { keepCounts } from './deliveries.js'
import { dropDeliveries } from './drop-deliveries.js'
import { countHeld, noteDrops, noteHolds } from './holds/note-held.js'
import { noteOverQuota } from './holds/over-quota.js'
import { announceLimit } from './limit-announcements.js'
import type { Dropped, Planned, Take, Taken } from './messages.js'
import { noteInterrupted } from './notifications.js'
import { noteFlappingChange, noteReportedUp } from './reported.js'

/** Carries out the plans for several channels' messages. */
export async function carryOut(
  db: Db,
  take: Take,
  planned: readonly Planned[],
): Promise<Pick<Taken, 'messages' | 'dropped' | 'held' | 'putOff'>> {
  const dropped: Dropped[] = []
  for (const one of planned) {
    await noteAbandoned(db, one, take.now)
    dropped.push(...(await dropDeliveries(db, one, take.now)))
    await hold(db, one, take.now)
    await noteHolds(db, one, take.now)
    await noteDrops(db, one, take.now)
    await noteReported(db, one)
  }
  await noteOverQuota(db, planned, take.now)
  const held = countHeld(planned)
  const putOff = planned.reduce((sum, one) => sum + countPutOff(one, take.now), 0)
  const messages = await claimMessages(db, take, planned)
  await chargeMessages(db, planned, messages, take.leaseUntil)
  return { messages, dropped, held, putOff }
}

/** The holds that may last, besides silences and dependencies. */
const LASTING = ['outage', 'acknowledged', 'quota'] as const satisfies HoldReason[]

/** Holds that may last: more may be due behind them. */
function countPutOff({ plan }: Planned, now: number): number {
  return plan.holds.filter(
    ({ by, reason, until }) => (by !== undefined || LASTING.some(one => one === reason)) && until > now,
  ).length
}

/** Releases abandoned deliveries, whose attempt counts. */
async function noteAbandoned(db: Db, { channel, rows }: Planned, now: number): Promise<void> {
  const abandoned = [...rows.values()].filter(row => row.abandoned)
  if (abandoned.length === 0) return
  await giveBack(
    db,
    { now },
    abandoned.map(({ id }) => ({ id })),
  )
  await noteInterrupted(
    db,
    channel.id,
    abandoned.map(({ uuid, checkId }) => ({ uuid, checkId })),
  )
}

async function hold(db: Db, { channel, rules, plan, rows }: Planned, now: number): Promise<void> {
  const kinds = new Map<string, { until: number; reason: HoldReason; items: { id: number }[] }>()
  for (const { id, due, until, reason } of plan.holds) {
    const key = `${reason} ${until}`
    const kind = kinds.get(key) ?? { until, reason, items: [] }
    kinds.set(key, kind)
    kind.items.push({ id })
    if (due) await keepCounts(db, rows.get(id)!, due)
  }
  for (const { until, reason, items } of kinds.values()) {
    const [delayed, follows] = [isHold(reason) ? 0 : 1, reason === 'unreachable' ? 1 : 0] as const
    const numbered = keepsNumber(reason) ? 1 : 0
    await postpone(db, { until, reason, delayed, follows, numbered, now }, items)
  }
  for (const { checkId, at } of plan.stillFlapping) {
    await noteFlappingChange.all(db, { checkId, channelId: channel.id, at })
  }
  await park(
    db,
    { until: WHEN_ENABLED, now },
    plan.parked.map(id => ({ id })),
  )
  if (plan.limitReached)
    await announceLimit(db, channel.id, { ...plan.limitReached, hourly: rules.hourly }, now)
}

/** Records checks that count as reported up. */
async function noteReported(db: Db, { channel, plan }: Planned): Promise<void> {
  await noteReportedUp(
    db,
    { channelId: channel.id },
    plan.reported.map(({ checkId }) => ({ checkId })),
  )
}

const giveBack = preparedList((sql, value: { now: number }, items: { id: number }[]) =>
  sql
    .updateTable('deliveries')
    .set(eb => ({ attempts: eb('attempts', '+', 1), claimed_by: null, claimed_until: null }))
    .where(
      'id',
      'in',
      items.map(({ id }) => id),
    )
    .where(unclaimed(value.now)),
)

interface Postponed extends Record<string, string | number> {
  until: number
  reason: HoldReason
  /** Whether it is delayed rather than held. */
  delayed: 0 | 1
  /** Whether it becomes due when something arrives through the channel. */
  follows: 0 | 1
  /** Whether it keeps its number. */
  numbered: 0 | 1
  now: number
}

const postpone = preparedList((sql, value: Postponed, items: { id: number }[]) =>
  sql
    .updateTable('deliveries')
    .set(eb => ({
      due_at: value.until,
      held_by: value.reason,
      follows: value.follows,
      charged: eb('charged', '*', value.numbered),
      delayed: eb
        .case()
        .when('delayed', '=', 1)
        .then(1 as const)
        .else(value.delayed)
        .end(),
    }))
    .where(
      'id',
      'in',
      items.map(({ id }) => id),
    )
    .where(unclaimed(value.now)),
)

const park = preparedList((sql, value: { until: number; now: number }, items: { id: number }[]) =>
  sql
    .updateTable('deliveries')
    // It may wait for ever, so that it is counted anew when it is sent.
    .set({ due_at: value.until, charged: 0 })
    .where(
      'id',
      'in',
      items.map(({ id }) => id),
    )
    .where(unclaimed(value.now)),
)
