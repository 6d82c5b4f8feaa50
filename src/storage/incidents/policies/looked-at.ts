/** The incidents whose policies are looked at, with what decides. */
import { sql } from 'kysely'
import { NO_POLICY, type PolicyRules } from '../../../core/incidents/policy.js'
import { appendTo } from '../../../lib/append-to.js'
import { hasParents } from '../../alerts/holds/held.js'
import type { Db } from '../../db.js'
import { gathered } from '../../gathered.js'
import { policyApplies, rulesOf } from './policy-rows.js'
import type { ProgressRow } from './progress-rows.js'

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
  /** The rows that are looked at; at least one. */
  rows: ProgressRow[]
}

/** The incidents of these rows. */
export async function incidentsOf(db: Db, looked: readonly ProgressRow[]): Promise<LookedAt[]> {
  if (looked.length === 0) return []
  const byIncident = new Map<number, ProgressRow[]>()
  for (const row of looked) appendTo(byIncident, row.incident_id, row)
  const checkIds = [...new Set(looked.map(row => row.check_id))]
  const rows = await gathered(db, ['checks', 'check_details'], checkIds)
    .selectFrom('incidents as i')
    .innerJoin('checks as c', 'c.id', 'i.check_id')
    .innerJoin('check_details as d', 'd.check_id', 'c.id')
    .innerJoin('projects as p', 'p.id', 'c.project_id')
    .leftJoin('policies as pol', join => join.on(policyApplies))
    .select(['i.id', 'i.check_id as checkId', 'c.project_id as projectId', 'i.flip_id as flipId'])
    .select(['i.closed_at as closedAt', 'i.ack_at', 'i.ack_until', 'i.down_at as downAt', 'd.tags'])
    .select(['pol.steps', 'pol.repeat_every', 'pol.repeat_times'])
    .select(
      sql<number>`CASE WHEN EXISTS (
        SELECT 1 FROM silences s WHERE s.project_id = c.project_id
      ) THEN 1 ELSE 0 END`.as('silences'),
    )
    .select(hasParents('c.id').as('parents'))
    .where('i.id', 'in', [...byIncident.keys()])
    .execute()
  return rows.map(({ silences, parents, ack_at, ack_until, ...row }) => ({
    ...row,
    acknowledged: ack_at === null ? null : { from: ack_at, to: ack_until },
    policy: rulesOf(row) ?? NO_POLICY,
    hasSilences: silences === 1,
    hasParents: parents === 1,
    rows: byIncident.get(row.id)!,
  }))
}
