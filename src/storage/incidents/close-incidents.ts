/** Closes the incidents of checks that leave their project or lose their log. */
import { sql } from 'kysely'
import type { ClosedBy } from '../../core/incidents/incident.js'
import type { Db } from '../db.js'
import { recordEvent } from '../events/record-events.js'
import { gatheredFirst } from '../gathered.js'
import { releases } from './store-incidents.js'

/** Closes the open incidents of checks. */
export async function closeIncidents(
  db: Db,
  { checkIds, by, now }: { checkIds: readonly number[]; by: ClosedBy; now: number },
): Promise<void> {
  const closed = await db.sql
    .updateTable('incidents')
    .set({ closed_at: now, closed_by: by, releases: releases('incidents.opened_at', 'incidents.check_id') })
    .where('check_id', 'in', checkIds)
    .where('closed_at', 'is', null)
    .returning(['id', 'project_id as projectId', 'check_id as checkId'])
    .execute()
  for (const { id, projectId, checkId } of closed) {
    const { uuid, name } = await checkNames(db, checkId!)
    const after = { check: uuid, closed_by: by }
    await recordEvent(db, { projectId, type: 'incident.closed', object: { id, name }, after }, now)
  }
}

async function checkNames(db: Db, checkId: number): Promise<{ uuid: string; name: string }> {
  return await db.sql
    .selectFrom('checks as c')
    .innerJoin('check_details as d', 'd.check_id', 'c.id')
    .select(['c.uuid', 'd.name'])
    .where('c.id', '=', checkId)
    .executeTakeFirstOrThrow()
}

/** Keeps the names of checks that leave their project in the incidents that stay behind, and closes open ones. */
export async function leaveIncidents(
  db: Db,
  projectId: number,
  checks: readonly { id: number; name: string }[],
  by: ClosedBy,
  now: number,
): Promise<void> {
  const checkIds = checks.map(({ id }) => id)
  await closeIncidents(db, { checkIds, by, now })
  const rows = await db.sql
    .selectFrom('incidents')
    .select('check_id')
    .distinct()
    .where('check_id', 'in', checkIds)
    .where('project_id', '=', projectId)
    .execute()
  const concerned = new Set(rows.map(row => row.check_id))
  for (const { id, name } of checks.filter(({ id }) => concerned.has(id))) {
    await db.sql
      .updateTable('incidents')
      .set({ label: name })
      .where('check_id', '=', id)
      .where('project_id', '=', projectId)
      .execute()
  }
}

/** Opens an incident in a check's new project like the one that the move has just closed, if the check is down. */
export async function reopenMoved(db: Db, checkId: number, now: number): Promise<void> {
  const { rows } = await sql<{ id: number; project_id: number; cause: string }>`
    ${gatheredFirst(db, ['checks'], [checkId])}
    INSERT INTO incidents (project_id, check_id, opened_at, since_at, cause, down_at, flip_id)
    SELECT c.project_id, c.id, CAST(${now} AS bigint), i.since_at, i.cause, i.down_at, i.flip_id
    FROM checks c JOIN incidents i ON i.id = (SELECT max(l.id) FROM incidents l WHERE l.check_id = c.id)
    WHERE c.id = ${checkId} AND c.status = 'down' AND i.closed_at IS NOT NULL
    RETURNING id, project_id, cause`.execute(db.sql)
  const [opened] = rows
  if (!opened) return
  const { uuid, name } = await checkNames(db, checkId)
  const object = { id: opened.id, name }
  const after = { check: uuid, cause: opened.cause }
  await recordEvent(db, { projectId: opened.project_id, type: 'incident.opened', object, after }, now)
}
