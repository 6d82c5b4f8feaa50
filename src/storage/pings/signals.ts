/** The pings that begin or end a run, with what runs are made of. */
import type { Kysely } from 'kysely'
import type { Cause } from '../../core/checks/health/cause.js'
import type { Action } from '../../core/pings/ping-event.js'
import type { LoggedEvent } from '../../core/pings/run-ledger.js'
import type { Tables } from '../tables.js'

/** A query for these pings of a check, for {@link toEvent}. */
export function selectSignals(sql: Kysely<Tables>, checkId: number) {
  return sql
    .selectFrom('pings')
    .select(['n', 'created_at as at', 'ran_at as ranAt', 'kind', 'rid', 'cause'])
    .select(['exit_status as exitStatus', 'duration as durationMs'])
    .where('check_id', '=', checkId)
    .where('kind', 'in', ['start', 'success', 'fail'])
}

type Row = Awaited<ReturnType<ReturnType<typeof selectSignals>['execute']>>[number]

/** The ping in a row. */
export function toEvent({ kind, cause, ...row }: Row): LoggedEvent {
  return { ...row, action: kind as Action, cause: cause as Cause | null }
}
