/** Writes what the plan of channels' messages says, and claims what is to be sent. */
import { randomUUID } from 'node:crypto'
import type { ChangeStatus, DropReason, HoldReason } from '../../core/alerts/delivery/change.js'
import { noteUse } from '../channels/channel-use.js'
import { WHEN_ENABLED } from '../channels/disable-channel.js'
import { claimRows, unclaimed } from '../claims.js'
import type { Db } from '../db.js'
import { prepared, preparedList } from '../prepared.js'
import { keepCounts } from './keep-counts.js'
import { announceLimit } from './limit-announcements.js'
import { addNotifications, noteInterrupted } from './notifications.js'
import type { ClaimedMessage, ClaimedPart, Planned, Take, Taken } from './take-messages.js'
import type { WaitingRow } from './waiting.js'

/** A delivery that is not sent at all. */
export interface Dropped {
  channel: { uuid: string; kind: string }
  reason: DropReason
  /** For people; empty where nobody needs to know. */
  error: string
  createdAt: number
}

/** What a notification says of a delivery that is dropped; empty: there is none. */
const NOTES: Record<Exclude<DropReason, 'unusable'>, string> = {
  unwanted: '',
  superseded: 'Superseded by a newer status change',
  held: 'Not sent: the check was up again before the hold ended',
  closed: 'Not sent: the check was paused before',
  over: 'Not sent: the check is not down any more',
  unlinked: '',
  unreported: 'Not sent: this integration was not sent the down alert either',
  reported: '',
  'too-late': 'Given up after a day',
}

export async function carryOut(db: Db, take: Take, planned: readonly Planned[]): Promise<Taken> {
  const dropped: Dropped[] = []
  for (const one of planned) {
    await noteAbandoned(db, one, take.now)
    dropped.push(...(await drop(db, one, take.now)))
    await hold(db, one, take.now)
    await noteLearned(db, one)
  }
  return { messages: await claim(db, take, planned), dropped }
}

/** What was found abandoned: its attempt is over, and counts. */
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
    abandoned.map(({ uuid }) => uuid),
  )
}

async function drop(db: Db, { channel, plan, rows, unusable }: Planned, now: number): Promise<Dropped[]> {
  if (plan.drops.length === 0) return []
  await remove(
    db,
    {},
    plan.drops.map(({ id }) => ({ id })),
  )
  const dropped = plan.drops.map(({ id, reason }) => {
    const row = rows.get(id)!
    const error = reason === 'unusable' ? unusable : NOTES[reason]
    return { row, channel, reason, error, createdAt: row.createdAt }
  })
  const noted = dropped.filter(({ error }) => error !== '')
  await addNotifications(
    db,
    noted.map(({ row, error }) => ({ ...attemptOf(row), uuid: randomUUID(), error, duration: 0 })),
    now,
  )
  if (unusable !== '' && noted.length > 0) {
    await noteUse(
      db,
      channel.id,
      noted.map(({ row }) => row.groupId),
      { startedAt: now, durationMs: 0, now, error: unusable },
      null,
    )
  }
  return dropped.map(({ row: _, ...rest }) => rest)
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
  for (const { until, reason, items } of kinds.values()) await postpone(db, { until, reason, now }, items)
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

/** The channel counts as having learned that these checks are not down any more. */
async function noteLearned(db: Db, { channel, plan }: Planned): Promise<void> {
  await forget(
    db,
    { channelId: channel.id },
    plan.learned.map(({ checkId }) => ({ checkId })),
  )
}

async function claim(db: Db, take: Take, planned: readonly Planned[]): Promise<ClaimedMessage[]> {
  const ids = planned.flatMap(({ plan }) => plan.messages.flatMap(idsOf))
  const mine = new Set(await claimRows(db, 'deliveries', ids, take))
  const messages: ClaimedMessage[] = []
  for (const { channel, plan, rows, history } of planned) {
    for (const message of plan.messages) {
      const parts: ClaimedPart[] = []
      const dues = new Map(message.parts.map(due => [due.change.id, due]))
      // What was deleted in the meantime is not there any more.
      for (const id of idsOf(message).filter(id => mine.has(id))) {
        const row = rows.get(id)!
        const due = dues.get(id) ?? null
        if (due) await keepCounts(db, row, due)
        const { createdAt } = due ?? row
        parts.push({ ...row, due, createdAt, history: history.get(id) ?? [], notificationUuid: randomUUID() })
      }
      if (parts.length > 0)
        messages.push({ channel, form: message.form, alertClass: message.alertClass, parts })
    }
  }
  const attempts = messages.flatMap(({ parts }) => parts)
  await addNotifications(
    db,
    attempts.map(part => ({
      ...attemptOf(part),
      uuid: part.notificationUuid,
      error: 'Sending',
      duration: null,
    })),
    take.now,
  )
  return messages
}

function idsOf({ parts, noticeId }: Planned['plan']['messages'][number]): number[] {
  return noticeId === null ? parts.map(({ change }) => change.id) : [noticeId]
}

/** How an attempt at a delivery is noted. */
function attemptOf(
  row: Pick<WaitingRow, 'uuid' | 'channelId' | 'checkId' | 'flipId' | 'attempts' | 'change'>,
) {
  const status = row.change?.status ?? ''
  return {
    delivery_uuid: row.uuid,
    channel_id: row.channelId,
    check_id: row.checkId,
    flip_id: row.flipId,
    check_status: (status === 'deleted' ? 'up' : status) satisfies ChangeStatus | '',
    attempt: row.attempts + 1,
  }
}

const remove = preparedList((sql, _: Record<never, never>, items: { id: number }[]) =>
  sql.deleteFrom('deliveries').where(
    'id',
    'in',
    items.map(({ id }) => id),
  ),
)

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

const postpone = preparedList(
  (sql, value: { until: number; reason: HoldReason; now: number }, items: { id: number }[]) =>
    sql
      .updateTable('deliveries')
      .set({ due_at: value.until, held_by: value.reason })
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
    .set({ due_at: value.until })
    .where(
      'id',
      'in',
      items.map(({ id }) => id),
    )
    .where(unclaimed(value.now)),
)

const forget = preparedList((sql, value: { channelId: number }, items: { checkId: number }[]) =>
  sql
    .deleteFrom('reported')
    .where('channel_id', '=', value.channelId)
    .where(
      'check_id',
      'in',
      items.map(({ checkId }) => checkId),
    ),
)

const noteFlappingChange = prepared((sql, value: { checkId: number; channelId: number; at: number }) =>
  sql
    .updateTable('flapping')
    .set({ changed_at: value.at })
    .where('check_id', '=', value.checkId)
    .where('channel_id', '=', value.channelId),
)
