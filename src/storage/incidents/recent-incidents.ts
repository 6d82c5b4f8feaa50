/** The incidents of one project or several, for the pages: the open ones first, then the newest. */
import { sql } from 'kysely'
import type { Outcome, RecentIncident } from '../../core/incidents/recent-incident.js'
import type { Db } from '../db.js'
import { read, readWithoutSnapshot } from '../method.js'
import { selectIncidents, toListedIncident } from './incident-rows.js'
import { hasTag } from './reading/has-tag.js'

/** Which incidents a page shows. `from` (ms): those that are open, or closed since then. */
export interface RecentFilter {
  from: number
  open: boolean | null
  /** A part of the check's name, in any case; empty: any. */
  search: string
  /** A tag of the check; empty: any. */
  tag: string
}

/** At most `limit` incidents of the projects with these UUIDs, and whether there are more. */
export const recent = read(
  async (
    db: Db,
    projects: readonly string[],
    { from, open, search, tag }: RecentFilter,
    { limit, now }: { limit: number; now: number },
  ): Promise<{ incidents: RecentIncident[]; more: boolean }> => {
    if (projects.length === 0) return { incidents: [], more: false }
    let query = selectIncidents(db)
      .innerJoin('projects as p', 'p.id', 'i.project_id')
      .select(['p.uuid as projectUuid', 'p.name as projectName'])
      .where('p.uuid', 'in', projects)
      .where(eb => eb.or([eb('i.closed_at', 'is', null), eb('i.closed_at', '>=', from)]))
    if (open !== null) query = query.where('i.closed_at', open ? 'is' : 'is not', null)
    if (tag !== '') query = query.where(hasTag(db, tag))
    if (search !== '') {
      const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
      query = query.where(sql<boolean>`lower(coalesce(d.name, i.label)) LIKE ${pattern} ESCAPE '\\'`)
    }
    const rows = await query
      .orderBy(sql`CASE WHEN i.closed_at IS NULL THEN 0 ELSE 1 END`)
      .orderBy('i.opened_at', 'desc')
      .orderBy('i.id', 'desc')
      .limit(limit + 1)
      .execute()
    const shown = rows.slice(0, limit)
    const outcomes = await outcomesOf(
      db,
      shown.map(({ id }) => id),
    )
    const incidents = shown.map(row => ({
      ...toListedIncident(row, now),
      project: { uuid: row.projectUuid, name: row.projectName },
      outcome: outcomes.get(row.id) ?? { sent: 0, failed: 0, held: '' },
    }))
    return { incidents, more: rows.length > limit }
  },
)

async function outcomesOf(db: Db, ids: readonly number[]): Promise<Map<number, Outcome>> {
  if (ids.length === 0) return new Map()
  const [messages, holds] = await Promise.all([
    db.sql
      .selectFrom('notifications')
      .select(['incident_id as id', 'channel_id as channel'])
      .select(sql<number>`max(CASE WHEN error = '' THEN 1 ELSE 0 END)`.as('sent'))
      .where('incident_id', 'in', ids)
      .where('check_status', '=', 'down')
      .where('error', '!=', 'Sending')
      .groupBy(['incident_id', 'channel_id'])
      .execute(),
    db.sql
      .selectFrom('incident_events as e')
      .select(['e.incident_id as id', 'e.text', 'e.reason'])
      .where('e.id', 'in', eb =>
        eb
          .selectFrom('incident_events as l')
          .select(l => l.fn.max('l.id').as('id'))
          .where('l.incident_id', 'in', ids)
          .where('l.kind', 'in', ['held', 'dropped'])
          .groupBy('l.incident_id'),
      )
      .execute(),
  ])
  const held = new Map(holds.map(({ id, text, reason }) => [id, text || reason]))
  const outcomes = new Map<number, Outcome>()
  for (const id of ids) outcomes.set(id, { sent: 0, failed: 0, held: held.get(id) ?? '' })
  for (const { id, sent } of messages) outcomes.get(id!)![Number(sent) === 1 ? 'sent' : 'failed']++
  return outcomes
}

/** A text that changes whenever a list of these projects' incidents may look different; see {@link recent}. */
export const fingerprint = readWithoutSnapshot(
  async (db: Db, projects: readonly string[], from: number): Promise<string> => {
    if (projects.length === 0) return ''
    const rows = await db.sql
      .selectFrom('incidents as i')
      .innerJoin('projects as p', 'p.id', 'i.project_id')
      .select(eb => [
        eb.fn.countAll().as('incidents'),
        eb.fn.count('i.closed_at').as('closed'),
        eb.fn.max('i.id').as('newest'),
        eb.fn.max('i.down_at').as('down'),
        eb.fn.sum('i.ack_at').as('acknowledged'),
        eb.fn.sum('i.ack_until').as('until'),
      ])
      .where('p.uuid', 'in', projects)
      .where(eb => eb.or([eb('i.closed_at', 'is', null), eb('i.closed_at', '>=', from)]))
      .execute()
    const sent = await db.sql
      .selectFrom('channels as ch')
      .innerJoin('projects as p', 'p.id', 'ch.project_id')
      .select(eb => [eb.fn.max('ch.last_notify').as('at'), eb.fn.count('ch.last_notify').as('channels')])
      .where('p.uuid', 'in', projects)
      .execute()
    return JSON.stringify([rows, sent])
  },
)
