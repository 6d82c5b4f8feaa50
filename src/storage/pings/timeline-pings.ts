/** Pings with the facts for one line each. */

import type { Kysely } from 'kysely'
import type { Cause } from '../../core/checks/health/cause.js'
import type { TimelinePing } from '../../core/checks/history/timeline.js'
import type { Action } from '../../core/pings/ping-event.js'
import type { Tables } from '../tables.js'

/** How much of a body is shown in a line, in bytes. Source: docs/behaviour.md, section 9.5. */
const PREVIEW_BYTES = 150

/** A query for pings of a check, for {@link toTimelinePing}. */
export function selectPings(sql: Kysely<Tables>, checkId: number) {
  return sql
    .selectFrom('pings')
    .select([
      'n',
      'created_at as at',
      'created_us as atUs',
      'ran_at as ranAt',
      'kind',
      'scheme',
      'remote_addr as remoteAddr',
    ])
    .select(['method', 'ua', 'rid', 'exit_status as exitStatus', 'cause', 'duration as durationMs'])
    .select(eb => eb.fn.coalesce('object_size', eb.fn<number>('length', ['body']), eb.lit(0)).as('bodySize'))
    .select(eb => eb.fn<Uint8Array | null>('substr', ['body', eb.lit(1), eb.lit(PREVIEW_BYTES)]).as('head'))
    .where('check_id', '=', checkId)
}

type Row = Awaited<ReturnType<ReturnType<typeof selectPings>['execute']>>[number]

/** The ping in a row, with the duration of its run only if the client measured it. */
export function toTimelinePing(row: Row): TimelinePing {
  const { head } = row
  const bodySize = Number(row.bodySize)
  return {
    n: row.n,
    at: row.at,
    atUs: row.atUs,
    ranAt: row.ranAt,
    action: row.kind as Action,
    scheme: row.scheme,
    remoteAddr: row.remoteAddr,
    method: row.method,
    ua: row.ua,
    rid: row.rid,
    exitStatus: row.exitStatus,
    cause: row.cause as Cause | null,
    durationMs: row.durationMs,
    bodySize,
    hasBody: bodySize > 0,
    preview: head && head.length > 0 ? new TextDecoder().decode(head) : null,
  }
}
