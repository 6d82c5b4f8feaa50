import { sql } from 'kysely'
import type { Db } from '../db.js'
import { currentHold } from '../instance/outages.js'

/** How a project is doing. Checks that are late or down are so by the rules, noticed or not. */
export interface ProjectOverview {
  uuid: string
  checks: number
  down: number
  late: number
  running: number
  paused: number
  new: number
  channels: number
  /** The newest ping of any of its checks. */
  lastPing: number | null
}

/** How the projects with these UUIDs are doing, in their order. Source: section 9.2 of the behaviour. */
export async function projectOverviews(
  db: Db,
  uuids: readonly string[],
  now: number,
): Promise<ProjectOverview[]> {
  if (uuids.length === 0) return []
  const hold = await currentHold(db, now)
  // A deadline inside the hold does not count while the hold lasts.
  const deadline = hold && now < hold.until ? Math.min(now, hold.from - 1) : now
  // What has no deadline is not past it: NULL would make the opposite of this NULL too.
  const isDown = sql<boolean>`c.status = 'down' or coalesce(c.alert_after <= ${deadline}, false)`
  const count = (condition: ReturnType<typeof sql<boolean>>) =>
    sql<number>`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`
  const rows = await db.sql
    .selectFrom('projects as p')
    .leftJoin('checks as c', 'c.project_id', 'p.id')
    .select(['p.id', 'p.uuid', 'p.n_checks as checks'])
    .select([
      count(isDown).as('down'),
      count(sql<boolean>`not (${isDown}) and c.status = 'up' and c.due_at <= ${now}`).as('late'),
      count(sql<boolean>`c.last_start is not null and c.last_start + c.grace_s * 1000 > ${now}`).as(
        'running',
      ),
      count(sql<boolean>`not (${isDown}) and c.status = 'paused'`).as('paused'),
      count(sql<boolean>`not (${isDown}) and c.status = 'new'`).as('new'),
    ])
    .select(eb => eb.fn.max<number | null>('c.last_ping').as('lastPing'))
    .select(eb =>
      eb
        .selectFrom('channels as ch')
        .select(s => s.fn.countAll<number>().as('n'))
        .whereRef('ch.project_id', '=', 'p.id')
        .as('channels'),
    )
    .where('p.uuid', 'in', [...uuids])
    .groupBy(['p.id', 'p.uuid', 'p.n_checks'])
    .execute()
  const byUuid = new Map(rows.map(({ id, ...row }) => [row.uuid, row]))
  return uuids.flatMap(uuid => {
    const row = byUuid.get(uuid)
    if (!row) return []
    const { uuid: _, lastPing, ...counts } = row
    const numbers = Object.fromEntries(
      Object.entries(counts).map(([name, value]) => [name, Number(value ?? 0)]),
    ) as Record<keyof typeof counts, number>
    return [{ uuid, lastPing, ...numbers }]
  })
}
