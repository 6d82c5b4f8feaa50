/** Imports the flips of a check, and the incidents that they open and close. */
import type { StoredStatus } from '../../core/checks/check.js'
import type { Flip } from '../../core/checks/flip.js'
import { type Incident, incidentAfter } from '../../core/incidents/incident.js'
import { chunks } from '../chunks.js'
import type { Side } from '../copy/side.js'
import { incidentColumns } from '../incidents/store-incidents.js'
import type { Import } from './context.js'

interface Target {
  id: number
  projectId: number
  status: StoredStatus
}

/**
 * Stores the flips that are newer than those of the check here, their incidents, and, if the check is down, that its
 * channels know. Returns the number of flips.
 */
export async function importFlips(job: Import, check: Target, flips: readonly Flip[]): Promise<number> {
  const side = job.target!
  const newest = await side.sql
    .selectFrom('flips')
    .select(eb => eb.fn.max<number | null>('created_at').as('at'))
    .where('check_id', '=', check.id)
    .executeTakeFirst()
  const added = flips.filter(flip => newest?.at == null || flip.createdAt > Number(newest.at))
  if (added.length === 0) return 0
  const flipIds = await addFlips(side, check.id, added)
  const latest = await addIncidents(side, check, added, flipIds)
  if (check.status === 'down' && latest !== null) await noteReported(job, check.id, latest)
  return added.length
}

async function addFlips(side: Side, checkId: number, flips: readonly Flip[]): Promise<number[]> {
  const ids: number[] = []
  for (const some of chunks(flips, Math.floor(side.maxParameters / 5))) {
    const rows = await side.sql
      .insertInto('flips')
      .values(
        some.map(flip => ({
          check_id: checkId,
          created_at: flip.createdAt,
          old_status: flip.oldStatus,
          new_status: flip.newStatus,
          reason: flip.reason,
        })),
      )
      .returning('id')
      .execute()
    ids.push(...rows.map(({ id }) => id))
  }
  return ids
}

/** Plays the flips. Returns the incident that is open at the end, or null. */
async function addIncidents(
  side: Side,
  check: Target,
  flips: readonly Flip[],
  flipIds: readonly number[],
): Promise<Incident | null> {
  const known = await side.sql
    .selectFrom('incidents')
    .select(['id', 'opened_at as openedAt', 'since_at as sinceAt', 'cause', 'down_at as downAt'])
    .select(['flip_id as flipId', 'closed_at as closedAt', 'closed_by as closedBy'])
    .where('check_id', '=', check.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  let latest: Incident | null = known ?? null
  const made: Incident[] = []
  let isKnown = known !== undefined
  for (const [place, flip] of flips.entries()) {
    const { step, incident } = incidentAfter(latest, flip, flipIds[place]!)
    if (step === 'opened') {
      made.push(incident!)
      isKnown = false
    } else if (made.length > 0 && !isKnown) made[made.length - 1] = incident!
    else if (known && incident && step !== 'none') await closeOrReopen(side, known.id, incident)
    latest = incident
  }
  if (latest?.closedAt === null && check.status !== 'down') {
    // Its recovery was pruned.
    latest = { ...latest, closedAt: flips.at(-1)!.createdAt, closedBy: 'recovery' }
    if (made.length > 0) made[made.length - 1] = latest
    else if (known) await closeOrReopen(side, known.id, latest)
  }
  for (const some of chunks(made, Math.floor(side.maxParameters / 9))) {
    await side.sql
      .insertInto('incidents')
      .values(
        some.map(incident => ({
          project_id: check.projectId,
          check_id: check.id,
          ...incidentColumns(incident),
        })),
      )
      .execute()
  }
  return latest?.closedAt === null ? latest : null
}

async function closeOrReopen(side: Side, id: number, incident: Incident): Promise<void> {
  await side.sql.updateTable('incidents').set(incidentColumns(incident)).where('id', '=', id).execute()
}

/** The channels that a check that is down has here were sent that, so that they are sent its recovery. */
async function noteReported(
  { target, hearing, members }: Import,
  checkId: number,
  incident: Incident,
): Promise<void> {
  const linked = await target!.sql
    .selectFrom('check_channels')
    .select('channel_id as id')
    .where('check_id', '=', checkId)
    .execute()
  const channels = new Set(linked.flatMap(({ id }) => members.get(id) ?? [id]).filter(id => hearing.has(id)))
  if (channels.size === 0) return
  await target!.sql
    .insertInto('reported')
    .values(
      [...channels].map(channelId => ({
        check_id: checkId,
        channel_id: channelId,
        flip_id: incident.flipId,
        reported_at: incident.downAt,
      })),
    )
    .onConflict(oc => oc.doNothing())
    .execute()
}
