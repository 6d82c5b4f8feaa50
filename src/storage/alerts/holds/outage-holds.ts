import { mayBeLate, waitsUntil } from '../../../core/alerts/delivery/raised-late.js'
import type { Db } from '../../db.js'
import { judgingAt, type OwnHearing } from '../../instance/outages.js'
import { preparedList } from '../../prepared.js'
import type { WaitingRow } from '../waiting/waiting-row.js'

/**
 * Until when (ms) down alerts for a channel wait because a ping may have been missed that says that the check is up again, by
 * the checks' IDs. `checks`: the waiting rows of each. Outages are read only if an alert may have been raised late.
 */
export async function outageHolds(
  db: Db,
  channelId: number,
  checks: readonly (readonly WaitingRow[])[],
  { now, own }: { now: number; own: OwnHearing | null },
): Promise<ReadonlyMap<number | null, number>> {
  const late = checks.flatMap(rows => {
    const { checkId, reported, lastPing, incidentId, flip, mayBeHeld } = rows.at(-1)!
    const changes = rows.map(row => row.change!)
    const of = { id: checkId!, projectId: mayBeHeld.projectId! }
    return mayBeLate({ changes, reported })
      ? [{ of, changes, reported, cause: flip?.reason ?? '', lastPing, incidentId }]
      : []
  })
  if (late.length === 0) return new Map()
  const judging = await judgingAt(db, now, own)
  const held = late.filter(({ changes }) => changes.at(-1)!.heldBy === 'outage')
  const events = await firstHeld(
    db,
    { channelId },
    held.flatMap(({ incidentId }) => (incidentId === null ? [] : [{ incidentId }])),
  )
  const since = new Map(events.map(({ incidentId, at }) => [incidentId, Number(at)]))
  const until = new Map<number | null, number>()
  for (const check of late) {
    const isHeld = held.includes(check) && check.incidentId !== null
    const heldSince = isHeld ? (since.get(check.incidentId!) ?? null) : null
    const waits = waitsUntil({ ...check, heldSince }, judging.of(check.of), now)
    if (waits !== null) until.set(check.of.id, waits)
  }
  return until
}

/** When alerts of these incidents that an outage holds for a channel began to be held by it: each beginning is an event. */
const firstHeld = preparedList((sql, value: { channelId: number }, items: { incidentId: number }[]) =>
  sql
    .selectFrom('incident_events as e')
    .select(of => ['e.incident_id as incidentId', of.fn.max('e.created_at').as('at')])
    .where(
      'e.incident_id',
      'in',
      items.map(({ incidentId }) => incidentId),
    )
    .where('e.kind', '=', 'held')
    .where('e.reason', '=', 'outage')
    .where('e.channel_id', '=', value.channelId)
    .groupBy('e.incident_id'),
)
