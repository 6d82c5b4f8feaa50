import type { Cause } from '../../core/checks/health/cause.js'
import type { TimelinePing } from '../../core/checks/history/timeline.js'
import { Refusal } from '../../core/errors.js'
import type { Action } from '../../core/pings/ping-event.js'
import { durationsOf, type LoggedPing } from '../../core/pings/ping-log.js'
import { findCheck } from '../checks/find-check.js'
import type { CheckWithIds } from '../checks/rows/check-rows.js'
import type { Db } from '../db.js'
import { read } from '../method.js'
import { eventsBefore } from './ping-log.js'
import { waitingBody } from './uploads.js'

/** One ping with all its details. */
export interface PingDetails {
  check: CheckWithIds
  ping: LoggedPing & Pick<TimelinePing, 'exitStatus' | 'cause' | 'durationMs'>
  /** Null if there was none, or if it is outside the database. */
  body: Uint8Array | null
  bodySize: number
  /** The numbers of the stored pings before and after it. */
  older: number | null
  newer: number | null
}

/** The ping `n` of a check. Throws a `Refusal`: `not-found` if it is not stored any more, else as {@link findCheck}. */
export const details = read(
  async (db: Db, projectId: number, uuid: string, n: number): Promise<PingDetails> => {
    const check = await findCheck(db, projectId, { uuid })
    const oldest = check.nPings - db.settings.pingLogLimit
    const kept = db.sql.selectFrom('pings').where('check_id', '=', check.id).where('n', '>', oldest)
    const row = await kept.selectAll().where('n', '=', n).executeTakeFirst()
    if (!row) throw new Refusal('not-found', 'there is no such ping any more')
    const older = await kept.select('n').where('n', '<', n).orderBy('n', 'desc').limit(1).executeTakeFirst()
    const newer = await kept.select('n').where('n', '>', n).orderBy('n').limit(1).executeTakeFirst()
    const ping = {
      n,
      at: row.created_at,
      atUs: row.created_us,
      ranAt: row.ran_at,
      action: row.kind as Action,
      scheme: row.scheme,
      remoteAddr: row.remote_addr,
      method: row.method,
      ua: row.ua,
      rid: row.rid,
      exitStatus: row.exit_status,
      cause: row.cause as Cause | null,
    }
    const durations = durationsOf([...(await eventsBefore(db, check.id, [ping])), ping])
    const bodySize = row.object_size ?? row.body?.length ?? 0
    const body = row.body ?? (row.object_size ? await waitingBody(db, check.uuid, n) : null)
    return {
      check,
      ping: { ...ping, hasBody: bodySize > 0, durationMs: row.duration ?? durations.get(n) ?? null },
      body: body && body.length > 0 ? new Uint8Array(body) : null,
      bodySize,
      older: older?.n ?? null,
      newer: newer?.n ?? null,
    }
  },
)
