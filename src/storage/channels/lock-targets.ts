/** What the alerts of many projects' checks need, locked without waiting for any of these projects. Decision 0157. */
import { sql } from 'kysely'
import type { Db } from '../db.js'

/** A check whose alerts go to channels. */
export interface AlertedCheck {
  id: number
  projectId: number
}

/**
 * Locks what a transaction that stores flips or adds deliveries refers to or changes: the projects of these checks, their
 * latest incidents with the rows about their steps, and the channels that they are linked to, that steps have reached, and
 * that policies of their projects name. Returns the IDs of the checks of which another transaction has locked something:
 * they wait for it, and the others do not wait for them.
 */
export async function lockTargetsOf(db: Db, checks: readonly AlertedCheck[]): Promise<Set<number>> {
  if (!db.dialect.hasConcurrentWrites || checks.length === 0) return new Set()
  const ids = checks.map(({ id }) => id)
  const projectIds = checks.map(({ projectId }) => projectId)
  const { rows } = await sql<{ id: number }>`
    WITH asked AS (SELECT * FROM unnest(${ids}::bigint[], ${projectIds}::bigint[]) AS a (id, project_id)),
    by_steps AS (
      SELECT DISTINCT p.project_id, step #>> '{}' AS uuid FROM policies p
      CROSS JOIN LATERAL jsonb_path_query(p.steps::jsonb, '$[*].channels[*]') AS step
      WHERE p.project_id IN (SELECT project_id FROM asked)
    ), named AS (
      SELECT a.id, cc.channel_id FROM asked a JOIN check_channels cc ON cc.check_id = a.id
      UNION SELECT a.id, ic.channel_id FROM asked a JOIN incident_channels ic ON ic.check_id = a.id
      UNION SELECT a.id, c.id FROM asked a JOIN by_steps s ON s.project_id = a.project_id
        JOIN channels c ON c.uuid = s.uuid
    ), targets AS (
      SELECT id, channel_id FROM named
      UNION SELECT n.id, gm.member_id FROM named n JOIN group_members gm ON gm.group_id = n.channel_id
    ), latest AS (
      SELECT i.check_id AS id, max(i.id) AS incident_id FROM incidents i
      WHERE i.check_id IN (SELECT id FROM asked) GROUP BY i.check_id
    ), progress AS (
      SELECT l.id, ic.incident_id, ic.channel_id FROM latest l JOIN incident_channels ic ON ic.incident_id = l.incident_id
    ), free_channels AS (
      SELECT id FROM channels WHERE id IN (SELECT channel_id FROM targets) ORDER BY id FOR KEY SHARE SKIP LOCKED
    ), free_projects AS (
      SELECT id FROM projects WHERE id IN (SELECT project_id FROM asked) ORDER BY id FOR KEY SHARE SKIP LOCKED
    ), free_incidents AS (
      SELECT id FROM incidents WHERE id IN (SELECT incident_id FROM latest) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
    ), free_progress AS (
      SELECT incident_id, channel_id FROM incident_channels
      WHERE incident_id IN (SELECT incident_id FROM latest) FOR NO KEY UPDATE SKIP LOCKED
    )
    SELECT id FROM targets WHERE channel_id NOT IN (SELECT id FROM free_channels)
    UNION SELECT id FROM asked WHERE project_id NOT IN (SELECT id FROM free_projects)
    UNION SELECT id FROM latest WHERE incident_id NOT IN (SELECT id FROM free_incidents)
    UNION SELECT id FROM progress WHERE (incident_id, channel_id) NOT IN (SELECT * FROM free_progress)`.execute(
    db.sql,
  )
  return new Set(rows.map(({ id }) => id))
}
