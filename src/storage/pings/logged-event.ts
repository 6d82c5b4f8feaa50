import type { Cause } from '../../core/checks/health/cause.js'
import type { Action } from '../../core/pings/ping-event.js'
import type { LoggedEvent } from '../../core/pings/run-ledger.js'

/** The check of an event in the log, and the columns of the event, of `pings as p`. */
export const EVENT_COLUMNS = [
  'p.check_id as id',
  'p.n',
  'p.created_at as at',
  'p.kind',
  'p.rid',
  'p.cause',
  'p.exit_status as exitStatus',
  'p.duration as durationMs',
  'p.ran_at as ranAt',
] as const

/** The event of a row of {@link EVENT_COLUMNS}. */
export function eventOf(row: readonly unknown[]): LoggedEvent {
  return {
    n: row[1] as number,
    at: row[2] as number,
    action: row[3] as Action,
    rid: row[4] as string | null,
    cause: row[5] as Cause | null,
    exitStatus: row[6] as number | null,
    durationMs: row[7] as number | null,
    ranAt: row[8] as number | null,
  }
}
