/** Records in incidents what was held or dropped, and why. Decision 0115. */
import type { HoldReason } from '../../../core/alerts/delivery/change.js'
import { type CheckHold, holdWords } from '../../../core/alerts/delivery/hold.js'
import type { Db } from '../../db.js'
import { preparedList } from '../../prepared.js'
import type { HeldCounts, Planned } from '../messages.js'
import type { WaitingRow } from '../waiting.js'

type Hold = Planned['plan']['holds'][number]

/** Records holds of silences and dependencies, unless the same ones held the delivery before. */
export async function noteHolds(db: Db, { channel, plan, rows }: Planned, now: number): Promise<void> {
  const held = plan.holds.flatMap(hold => heldBy(hold, rows.get(hold.id)!))
  if (held.length === 0) return
  const before = new Map<number, string>()
  const known = await lastHolds(
    db,
    { channelId: channel.id },
    held.filter(({ wasHeld }) => wasHeld).map(({ incidentId }) => ({ incidentId })),
  )
  for (const { incidentId, text } of known) before.set(incidentId, text)
  await addEvents(
    db,
    { channelId: channel.id, now, kind: 'held' },
    held
      .filter(({ incidentId, wasHeld, text }) => !wasHeld || before.get(incidentId) !== text)
      .map(({ wasHeld: _, ...event }) => event),
  )
}

function heldBy({ by, reason }: Hold, { incidentId, change }: WaitingRow) {
  if (by === undefined || incidentId === null) return []
  const wasHeld = change?.heldBy === 'silence' || change?.heldBy === 'dependency'
  return [{ incidentId, wasHeld, reason: reason as string, text: holdWords(by), until: knownEnd(by) }]
}

/** When the last of the holds ends; null if that is not known, as with dependencies. */
function knownEnd(by: readonly CheckHold[]): number | null {
  return by.every(({ reason }) => reason === 'silence') ? Math.max(...by.map(({ until }) => until)) : null
}

/** Records drops that leave no notification: what would have sent an incident once more. */
export async function noteDrops(db: Db, { channel, plan, rows }: Planned, now: number): Promise<void> {
  const dropped = plan.drops.flatMap(({ id, reason }) => {
    const { incidentId, change } = rows.get(id)!
    if (incidentId === null || !change || change.again === null) return []
    return [{ incidentId, reason: reason as string, text: change.again as string, until: null }]
  })
  await addEvents(db, { channelId: channel.id, now, kind: 'dropped' }, dropped)
}

/** How many deliveries were held, by reason, that the same reason had not held before. */
export function countHeld(planned: readonly Planned[]): HeldCounts {
  const counts: { [R in HoldReason]?: number } = {}
  for (const { plan, rows } of planned) {
    for (const { id, reason } of plan.holds) {
      const change = rows.get(id)?.change
      if (change && change.heldBy !== reason) counts[reason] = (counts[reason] ?? 0) + 1
    }
  }
  return counts
}

/** The last event of each of these incidents that says what held its alerts for a channel. */
const lastHolds = preparedList((sql, value: { channelId: number }, items: { incidentId: number }[]) =>
  sql
    .selectFrom('incident_events as e')
    .select(['e.incident_id as incidentId', 'e.text'])
    .where('e.id', 'in', eb =>
      eb
        .selectFrom('incident_events as l')
        .select(of => of.fn.max('l.id').as('id'))
        .where(
          'l.incident_id',
          'in',
          items.map(({ incidentId }) => incidentId),
        )
        .where('l.kind', '=', 'held')
        .where('l.channel_id', '=', value.channelId)
        .groupBy('l.incident_id'),
    ),
)

type NewEvent = { incidentId: number; reason: string; text: string; until: number | null }

const addEvents = preparedList(
  (sql, value: { channelId: number; now: number; kind: string }, items: NewEvent[]) =>
    sql.insertInto('incident_events').values(
      items.map(({ incidentId, reason, text, until }) => ({
        incident_id: incidentId,
        created_at: value.now,
        kind: value.kind,
        channel_id: value.channelId,
        reason,
        text,
        until_at: until,
      })),
    ),
)
