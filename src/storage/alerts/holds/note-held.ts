/** Records in incidents what was held or dropped, and why. Decision 0115. */
import type { Change, DropReason, HoldReason } from '../../../core/alerts/delivery/change.js'
import { DROP_NOTES } from '../../../core/alerts/delivery/drop-notes.js'
import { noticedAmong } from '../../../core/alerts/delivery/flapping.js'
import { type CheckHold, holdWords } from '../../../core/alerts/delivery/hold.js'
import type { Db } from '../../db.js'
import { preparedList } from '../../prepared.js'
import type { HeldCounts, Planned } from '../messages.js'
import type { WaitingRow } from '../waiting/waiting-row.js'

type Hold = Planned['plan']['holds'][number]

/**
 * Records what holds or delays deliveries, unless the same did before. A silence or a dependency counts as the same only if
 * its words are.
 */
export async function noteHolds(db: Db, planned: Planned, now: number): Promise<void> {
  const { channel, plan, rows } = planned
  if (plan.holds.length === 0) return
  const wasHeld = heldBefore(planned)
  const held = plan.holds.flatMap(hold => heldBy(hold, rows.get(hold.id)!))
  const known = await lastHolds(
    db,
    { channelId: channel.id },
    held.filter(one => one.isNamed && wasHeld(one)).map(({ incidentId }) => ({ incidentId })),
  )
  const before = new Map(known.map(({ incidentId, text }) => [incidentId, text]))
  await addEvents(
    db,
    { channelId: channel.id, now, kind: 'held' },
    held
      .filter(one => !wasHeld(one) || (one.isNamed && before.get(one.incidentId) !== one.text))
      .map(({ incidentId, reason, text, until }) => ({ incidentId, reason, text, until })),
  )
}

interface HeldDelivery extends NewEvent {
  reason: HoldReason
  checkId: number | null
  /** Whether it is held by silences or dependencies, which have names. */
  isNamed: boolean
}

function heldBy({ by, reason, until }: Hold, { incidentId, checkId }: WaitingRow): HeldDelivery[] {
  if (incidentId === null) return []
  const named = by !== undefined
  const text = named ? holdWords(by) : ''
  const end = named ? knownEnd(by) : ENDS_UNKNOWN.includes(reason) ? null : until
  return [{ incidentId, checkId, reason, text, until: end, isNamed: named }]
}

/** Delays that last until something else happens; what they have is the time of the next attempt. */
const ENDS_UNKNOWN: readonly HoldReason[] = [
  'unreachable',
  'unknown',
  'outage',
  'acknowledged',
  'quota',
  'silence',
  'dependency',
]

/**
 * Returns whether a change of a delivery's check was held for the same reason when it was planned before. The change of a notice of flapping
 * waits on by itself: nothing was held back yet.
 */
function heldBefore({ rows }: Planned): (held: HeldDelivery) => boolean {
  const kind = (reason: HoldReason) => (reason === 'silence' || reason === 'dependency' ? 'named' : reason)
  const before = new Set<string>()
  for (const { checkId, change, flapping } of rows.values()) {
    const isNoticed = change !== null && noticedAmong([change], flapping) !== null
    if (change && change.heldBy !== null && !isNoticed) before.add(`${checkId} ${kind(change.heldBy)}`)
  }
  return ({ checkId, reason }) => before.has(`${checkId} ${kind(reason)}`)
}

/** When the last of the holds ends; null if that is not known, as with dependencies. */
function knownEnd(by: readonly CheckHold[]): number | null {
  return by.every(({ reason }) => reason === 'silence') ? Math.max(...by.map(({ until }) => until)) : null
}

/** Records drops that leave no notification, each once for an incident and a channel. */
export async function noteDrops(db: Db, { channel, plan, rows }: Planned, now: number): Promise<void> {
  const dropped = plan.drops.flatMap(({ id, reason }) => {
    const { incidentId, change } = rows.get(id)!
    if (incidentId === null || !change) return []
    const text = change.again ?? (isUnnoted(reason) && isAlert(change) ? change.status : null)
    return text === null ? [] : [{ incidentId, reason: reason as string, text: text as string, until: null }]
  })
  await addEvents(db, { channelId: channel.id, now, kind: 'dropped' }, dropped)
}

/** Whether the log does not say that a delivery was dropped for this reason. */
function isUnnoted(reason: DropReason): boolean {
  return reason !== 'unusable' && DROP_NOTES[reason] === ''
}

/** Whether it is about going down or coming up; nobody expects to be alerted of a pause. */
function isAlert({ status }: Change): boolean {
  return status === 'down' || status === 'up'
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

/** The last event of each of these incidents that names what held its alerts for a channel. */
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
        // Delays have no words.
        .where('l.text', '!=', '')
        .where('l.channel_id', '=', value.channelId)
        .groupBy('l.incident_id'),
    ),
)

type NewEvent = { incidentId: number; reason: string; text: string; until: number | null }

const addEvents = preparedList(
  (sql, value: { channelId: number; now: number; kind: string }, items: NewEvent[]) =>
    sql
      .insertInto('incident_events')
      .values(
        items.map(({ incidentId, reason, text, until }) => ({
          incident_id: incidentId,
          created_at: value.now,
          kind: value.kind,
          channel_id: value.channelId,
          reason,
          text,
          until_at: until,
        })),
      )
      .onConflict(conflict => conflict.doNothing()),
)
