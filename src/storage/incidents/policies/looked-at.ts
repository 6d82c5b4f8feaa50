/** The incidents whose policies are looked at, with what decides. */
import { type SqlBool, sql } from 'kysely'
import { NO_POLICY, type PolicyRules } from '../../../core/incidents/policy.js'
import { hasParents } from '../../alerts/holds/held.js'
import type { Db } from '../../db.js'
import { rulesOf } from './policy-rows.js'
import type { ProgressRow } from './progress-rows.js'

/** A row whose time has come. */
export type DueRow = Omit<ProgressRow, 'look_at'>

export interface LookedAt {
  id: number
  checkId: number
  projectId: number
  flipId: number
  closedAt: number | null
  /** The latest acknowledgement; `to` is null if it has no end. */
  acknowledged: { from: number; to: number | null } | null
  downAt: number
  policy: PolicyRules
  tags: string
  hasSilences: boolean
  hasParents: boolean
  /** The rows whose time has come; at least one. */
  rows: DueRow[]
}

/** The incidents of these rows. */
export async function incidentsOf(db: Db, due: readonly DueRow[]): Promise<LookedAt[]> {
  if (due.length === 0) return []
  const ids = [...new Set(due.map(row => row.incident_id))]
  const rows = await db.sql
    .selectFrom('incidents as i')
    .innerJoin('checks as c', 'c.id', 'i.check_id')
    .innerJoin('check_details as d', 'd.check_id', 'c.id')
    .innerJoin('projects as p', 'p.id', 'c.project_id')
    .leftJoin('policies as pol', join => join.on(sql<SqlBool>`pol.id = coalesce(d.policy_id, p.policy_id)`))
    .select(['i.id', 'i.check_id as checkId', 'c.project_id as projectId', 'i.flip_id as flipId'])
    .select(['i.closed_at as closedAt', 'i.ack_at', 'i.ack_until', 'i.down_at as downAt', 'd.tags'])
    .select(['pol.steps', 'pol.repeat_every', 'pol.repeat_times'])
    .select(
      sql<number>`CASE WHEN EXISTS (
        SELECT 1 FROM silences s WHERE s.project_id = c.project_id
      ) THEN 1 ELSE 0 END`.as('silences'),
    )
    .select(hasParents('c.id').as('parents'))
    .where('i.id', 'in', ids)
    .execute()
  return rows.map(({ silences, parents, ack_at, ack_until, ...row }) => ({
    ...row,
    acknowledged: ack_at === null ? null : { from: ack_at, to: ack_until },
    policy: rulesOf(row) ?? NO_POLICY,
    hasSilences: silences === 1,
    hasParents: parents === 1,
    rows: due.filter(one => one.incident_id === row.id),
  }))
}
