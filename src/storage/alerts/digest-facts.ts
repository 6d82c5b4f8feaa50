/** The facts of a digest. */

import type { DigestLine } from '../../core/alerts/digest.js'
import type { StoredStatus } from '../../core/checks/check.js'
import type { FlipReason } from '../../core/checks/flip.js'
import { outageWithin } from '../../core/instance/outage.js'
import { silentSince } from '../../core/instance/silence.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { outagesOf, outagesSince } from '../instance/outages.js'
import { read } from '../method.js'
import { newestPings } from '../pings/newest-pings.js'

export interface DigestFacts {
  /** Null if all checks were deleted or moved. */
  project: { uuid: string; name: string } | null
  lines: DigestLine[]
}

/** A flip of a check, whose rows are found by the check. */
export interface FlipRef {
  id: number
  checkId: number
}

/** The facts of flips of a project's checks, without checks that were deleted or moved to another project. */
export const digestFacts = read(
  async (db: Db, projectId: number, flips: readonly FlipRef[]): Promise<DigestFacts> => {
    const facts: DigestFacts = { project: null, lines: [] }
    for (const some of chunks(flips, Math.floor(db.dialect.maxParameters / 2) - 1)) {
      const rows = await db.sql
        .selectFrom('flips as f')
        // SQLite keeps this order. By itself it would look for each flip at each check of the project.
        .crossJoin('checks as c')
        .innerJoin('check_details as d', 'd.check_id', 'c.id')
        .innerJoin('projects as p', 'p.id', 'c.project_id')
        .select([
          'f.id',
          'f.created_at as at',
          'f.new_status',
          'f.reason',
          'c.id as checkId',
          'c.status',
          'c.grace_s',
          'c.start_within',
        ])
        .select([
          'd.name',
          'd.slug',
          'd.unique_key as uniqueKey',
          'p.uuid as projectUuid',
          'p.name as projectName',
        ])
        .select(eb =>
          eb
            .selectFrom('flips as before')
            .select('before.created_at')
            .whereRef('before.check_id', '=', 'f.check_id')
            .whereRef('before.id', '<', 'f.id')
            .orderBy('before.id', 'desc')
            .limit(1)
            .as('beforeAt'),
        )
        .where(
          'f.check_id',
          'in',
          some.map(({ checkId }) => checkId),
        )
        .where(
          'f.id',
          'in',
          some.map(({ id }) => id),
        )
        .whereRef('c.id', '=', 'f.check_id')
        .where('c.project_id', '=', projectId)
        .execute()
      const silences = rows.filter(row => row.reason === 'missed')
      const earliest = Math.min(...silences.map(expectedAt))
      const outages = silences.length > 0 ? await outagesSince(db, earliest) : []
      const newest = silences.length > 0 ? await newestPings(db, 100) : []
      for (const row of rows) {
        facts.project = { uuid: row.projectUuid, name: row.projectName }
        facts.lines.push({
          flipId: row.id,
          check: { name: row.name, slug: row.slug, uniqueKey: row.uniqueKey },
          status: row.new_status === 'down' ? 'down' : 'up',
          statusNow: row.status as StoredStatus,
          reason: row.reason as FlipReason,
          at: row.at,
          downtimeMs: row.new_status === 'up' && row.beforeAt !== null ? row.at - row.beforeAt : null,
          silentSince:
            row.reason === 'missed' ? silentSince(newest, row.checkId, expectedAt(row), row.at) : null,
          outage:
            row.reason === 'missed'
              ? outageWithin(outagesOf(outages, { id: row.checkId, projectId }), expectedAt(row), row.at)
              : null,
        })
      }
    }
    return facts
  },
)

/** When the ping was due whose absence took a check down at `at`. */
function expectedAt(row: { at: number; grace_s: number; start_within: number | null }): number {
  return row.at - (row.start_within ?? row.grace_s) * 1000
}
