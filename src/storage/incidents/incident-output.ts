import { sql } from 'kysely'
import { Refusal } from '../../core/errors.js'
import type { Action } from '../../core/pings/ping-event.js'
import { OUTPUT_BYTES } from '../../core/pings/ping-log.js'
import type { Db } from '../db.js'
import { gathered } from '../gathered.js'
import { read } from '../method.js'
import { waitingBody } from '../pings/uploads.js'

/** The last output before a check went down. `tail` is null if it is in object storage. */
export interface IncidentOutput {
  n: number
  at: number
  action: Action
  exitStatus: number | null
  tail: Uint8Array | null
  size: number
}

/**
 * The output of the run that an incident began with, or of the last one before it; null if there was none, or it was
 * pruned. Throws `Refusal('not-found')` if there is no such incident in the project.
 */
export const output = read(async (db: Db, projectId: number, id: number): Promise<IncidentOutput | null> => {
  const check = sql`(SELECT i.check_id FROM incidents i WHERE i.id = ${id})`
  const incident = await gathered(db, ['checks'], check)
    .selectFrom('incidents as i')
    .leftJoin('checks as c', join =>
      join.onRef('c.id', '=', 'i.check_id').onRef('c.project_id', '=', 'i.project_id'),
    )
    .select(['c.id as checkId', 'c.uuid', 'i.down_at as downAt'])
    .where('i.id', '=', id)
    .where('i.project_id', '=', projectId)
    .executeTakeFirst()
  if (!incident) throw new Refusal('not-found', 'incident not found')
  const { checkId, uuid, downAt } = incident
  if (checkId === null || uuid === null) return null
  const row = await db.sql
    .selectFrom('pings')
    .select(['n', 'created_at as at', 'kind', 'exit_status', 'body', 'object_size'])
    .where('check_id', '=', checkId)
    .where('created_at', '<=', downAt)
    .where('kind', 'in', ['success', 'fail', 'log'])
    .where(eb => eb.or([eb('body', 'is not', null), eb('object_size', '>', 0)]))
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const body = row.object_size ? await waitingBody(db, uuid, row.n) : row.body
  const size = row.object_size ?? body?.length ?? 0
  const tail = body ? new Uint8Array(body.slice(-OUTPUT_BYTES)) : null
  return { n: row.n, at: row.at, action: row.kind as Action, exitStatus: row.exit_status, tail, size }
})
