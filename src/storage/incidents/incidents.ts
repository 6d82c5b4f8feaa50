/** Reading incidents. */
import { sql } from 'kysely'
import { Refusal } from '../../core/errors.js'
import type { ListedIncident } from '../../core/incidents/listed-incident.js'
import { isTarget } from '../alerts/links/targets.js'
import { type CheckRef, findCheck } from '../checks/find-check.js'
import { hasTag } from '../checks/list/filters.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { read, readWithoutSnapshot } from '../method.js'
import { selectIncidents, toListedIncident } from './incident-rows.js'
import { wasSentTo } from './reading/was-sent-to.js'

/** The ID of the open incident of the check with this UUID, or null. */
export const openIncident = readWithoutSnapshot(async (db: Db, uuid: string): Promise<number | null> => {
  const row = await db.sql
    .selectFrom('incidents as i')
    .innerJoin('checks as c', 'c.id', 'i.check_id')
    .select('i.id')
    .where('c.uuid', '=', uuid)
    .where('i.closed_at', 'is', null)
    .executeTakeFirst()
  return row?.id ?? null
})

/** Which incidents of a project to list. Instants in ms. */
export interface IncidentFilter {
  /** Only open ones, or only closed ones. */
  open?: boolean
  /** Only those that were open at some time from `from` on, and before `to`. */
  from?: number
  to?: number
  check?: CheckRef
  /** Only those of checks that have this tag now. */
  tag?: string
  /** Only those that were sent to the channel with this UUID. */
  channel?: string
}

/** The place of an incident in a list; a page continues after it. */
export interface IncidentPlace {
  openedAt: number
  id: number
}

/** One page of a project's incidents, newest first. Throws a `Refusal` as `findCheck`. */
export const list = read(
  async (
    db: Db,
    projectId: number,
    filter: IncidentFilter,
    page: { after: IncidentPlace | null; limit: number; now: number },
  ): Promise<{ incidents: ListedIncident[]; next: IncidentPlace | null }> => {
    const { open, from, to, check, tag, channel } = filter
    const { after, limit, now } = page
    let query = selectIncidents(db, () => sql`i.project_id = ${projectId}`).where(
      'i.project_id',
      '=',
      projectId,
    )
    if (check !== undefined)
      query = query.where('i.check_id', '=', (await findCheck(db, projectId, check)).id)
    if (open !== undefined) query = query.where('i.closed_at', open ? 'is' : 'is not', null)
    if (to !== undefined) query = query.where('i.opened_at', '<', to)
    if (from !== undefined)
      query = query.where(eb => eb.or([eb('i.closed_at', 'is', null), eb('i.closed_at', '>=', from)]))
    if (tag !== undefined) query = query.where(hasTag(db, tag))
    if (channel !== undefined) query = query.where(wasSentTo(channel))
    if (after !== null)
      query = query.where(eb =>
        eb.or([
          eb('i.opened_at', '<', after.openedAt),
          eb.and([eb('i.opened_at', '=', after.openedAt), eb('i.id', '<', after.id)]),
        ]),
      )
    const rows = await query
      .orderBy('i.opened_at', 'desc')
      .orderBy('i.id', 'desc')
      .limit(limit + 1)
      .execute()
    const incidents = rows.slice(0, limit).map(row => toListedIncident(row, now))
    const last = incidents.at(-1)
    const next = rows.length > limit ? { openedAt: last!.openedAt, id: last!.id } : null
    return { incidents, next }
  },
)

/** An incident. Throws a `Refusal`: `not-found`, or `forbidden` if it belongs to another project. */
export const find = read(
  async (db: Db, projectId: number, id: number, now: number): Promise<ListedIncident> => {
    const row = await selectIncidents(db, () => sql`i.id = ${id}`)
      .where('i.id', '=', id)
      .executeTakeFirst()
    if (!row) throw new Refusal('not-found', 'incident not found')
    if (row.project_id !== projectId)
      throw new Refusal('forbidden', 'the incident belongs to another project')
    return toListedIncident(row, now)
  },
)

/**
 * The open incidents of a project that a message was about, by the notification by which it is known; oldest first. That
 * of a message about several checks is known once it was sent; until then there is only the incident of its own.
 */
export const openOfMessage = read(
  async (db: Db, projectId: number, notificationUuid: string, now: number): Promise<ListedIncident[]> => {
    const about = db.sql
      .selectFrom('notifications as n')
      .select('n.incident_id')
      .where(eb => eb.or([eb('n.uuid', '=', notificationUuid), eb('n.message_uuid', '=', notificationUuid)]))
      .where('n.incident_id', 'is not', null)
    const rows = await selectIncidents(db, () => sql`i.id IN ${about}`)
      .where('i.id', 'in', about)
      .where('i.project_id', '=', projectId)
      .where('i.closed_at', 'is', null)
      .orderBy('i.opened_at')
      .orderBy('i.id')
      .execute()
    return rows.map(row => toListedIncident(row, now))
  },
)

/** Those of some incidents, by their IDs, of whose checks a channel is sent alerts now. */
export const alertedThrough = read(
  async (db: Db, channelId: number, incidentIds: readonly number[]): Promise<number[]> => {
    const found: number[] = []
    for (const some of chunks(incidentIds, db.dialect.maxParameters - 1)) {
      const rows = await db.sql
        .selectFrom('incidents as i')
        .innerJoin('channels as ch', join => join.on('ch.id', '=', channelId))
        .select('i.id')
        .where('i.id', 'in', some)
        .where(isTarget('i.check_id', 'ch.id'))
        .execute()
      found.push(...rows.map(({ id }) => id))
    }
    return found
  },
)

/** For the operator: the project of an incident. Throws `Refusal('not-found')`. */
export const projectOf = readWithoutSnapshot(async (db: Db, id: number): Promise<number> => {
  const row = await db.sql
    .selectFrom('incidents')
    .select('project_id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new Refusal('not-found', `there is no incident ${id}`)
  return row.project_id
})
