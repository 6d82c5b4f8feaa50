/** The log of a check's pings, for display. */

import { Refusal } from '../../core/errors.js'
import type { Action } from '../../core/pings/ping-event.js'
import { durationsOf, LONGEST_RUN_MS, type LoggedPing, openEnded } from '../../core/pings/ping-log.js'
import { pingJson } from '../../core/wire/ping.js'
import { findCheck } from '../checks/find-check.js'
import type { Viewer } from '../checks/show-checks.js'
import type { Db } from '../db.js'
import { JsonBytes } from '../json-bytes.js'
import { read } from '../method.js'
import { prepared } from '../prepared.js'
import { waitingBody } from './uploads.js'

/** The maximum number of pings in a listing. */
const MAX_LISTED = 1_000

/** A logged body: its bytes, or that it is outside the database. */
export type FoundBody = { bytes: Uint8Array } | { outside: true }

/**
 * The newest pings of a check as the JSON `{"pings": [...]}`, newest first. Throws a `Refusal` as {@link findCheck}.
 */
export const showList = read(async (db: Db, viewer: Viewer, uuid: string): Promise<Uint8Array> => {
  const check = await findCheck(db, viewer.projectId, { uuid })
  if (!db.listings) return await listPings(db, viewer, check)
  const key = `pings ${viewer.version} ${uuid}`
  const state = await stateOf(db, check.id)
  const known = db.listings.get(key, state)
  if (known) return known
  const listing = await listPings(db, viewer, check)
  db.listings.put(key, state, listing)
  return listing
})

async function listPings(db: Db, viewer: Viewer, check: { id: number; uuid: string }): Promise<Uint8Array> {
  const newest = await newestPings(db, check.id, Math.min(db.settings.pingLogLimit, MAX_LISTED))
  const log = newest.toReversed()
  const durations = durationsOf([...(await eventsBefore(db, check.id, log)), ...log])
  const view = { version: viewer.version, siteRoot: db.settings.siteRoot }
  const list = new JsonBytes('{"pings": [')
  for (const ping of newest) list.add(pingJson(ping, durations.get(ping.n), check.uuid, view))
  return list.end(']}')
}

/**
 * A text that identifies the state of a check's log: its rows never change, they are only
 * added and deleted at its ends.
 */
async function stateOf(db: Db, checkId: number): Promise<string> {
  const [ends] = await endsOf.arrays(db, { checkId })
  return String(ends)
}

// By number, which is never reused; SQLite reuses the IDs of deleted rows.
const endsOf = prepared((sql, value: { checkId: number }) =>
  sql.selectNoFrom(eb => [
    eb
      .selectFrom('pings')
      .select('n')
      .where('check_id', '=', value.checkId)
      .orderBy('n')
      .limit(1)
      .as('oldest'),
    eb
      .selectFrom('pings')
      .select('n')
      .where('check_id', '=', value.checkId)
      .orderBy('n', 'desc')
      .limit(1)
      .as('newest'),
  ]),
)

/**
 * The body of a check's ping. Throws a `Refusal`: `not-found` if there is no such ping within the log's limit or it
 * has no body, else as {@link findCheck}.
 */
export const body = read(async (db: Db, projectId: number, uuid: string, n: number): Promise<FoundBody> => {
  const check = await findCheck(db, projectId, { uuid })
  const kept = n > check.nPings - db.settings.pingLogLimit && n <= check.nPings
  const row = kept
    ? await db.sql
        .selectFrom('pings')
        .select(['body', 'object_size'])
        .where('check_id', '=', check.id)
        .where('n', '=', n)
        .executeTakeFirst()
    : undefined
  if (!row) throw new Refusal('not-found', 'ping not found')
  if (row.body && row.body.length > 0) return { bytes: new Uint8Array(row.body) }
  if (!row.object_size) throw new Refusal('not-found', 'the ping has no body')
  const waiting = await waitingBody(db, uuid, n)
  return waiting ? { bytes: waiting } : { outside: true }
})

async function newestPings(db: Db, checkId: number, limit: number): Promise<LoggedPing[]> {
  const rows = await newest.arrays(db, { checkId, limit })
  return rows.map(row => ({
    n: row[0] as number,
    at: row[1] as number,
    atUs: row[2] as number,
    action: row[3] as Action,
    scheme: row[4] as string,
    remoteAddr: row[5] as string | null,
    method: row[6] as string,
    ua: row[7] as string,
    rid: row[8] as string | null,
    hasBody: Number(row[9]) > 0,
    ranAt: row[10] as number | null,
  }))
}

const newest = prepared((sql, value: { checkId: number; limit: number }) =>
  sql
    .selectFrom('pings')
    .select(['n', 'created_at', 'created_us', 'kind', 'scheme', 'remote_addr', 'method', 'ua', 'rid'])
    .select(eb => eb.fn.coalesce('object_size', eb.fn<number>('length', ['body']), eb.lit(0)).as('size'))
    .select('ran_at')
    .where('check_id', '=', value.checkId)
    .orderBy('n', 'desc')
    .limit(value.limit),
)

/**
 * The starts and ends of runs before `log` that runs in it may belong to: 72 hours back, and only of the run ids
 * whose start `log` does not hold.
 */
export async function eventsBefore(
  db: Db,
  checkId: number,
  log: readonly Pick<LoggedPing, 'n' | 'at' | 'action' | 'rid'>[],
) {
  const open = openEnded(log)
  const first = log[0]
  if (!first || first.n === 1 || open.size === 0) return []
  const rows = await db.sql
    .selectFrom('pings')
    .select(['n', 'created_at as at', 'ran_at as ranAt', 'kind', 'rid'])
    .where('check_id', '=', checkId)
    .where('n', '<', first.n)
    .where('created_at', '>', first.at - LONGEST_RUN_MS)
    .where('kind', 'in', ['start', 'success', 'fail'])
    .orderBy('n')
    .execute()
  return rows.filter(row => open.has(row.rid)).map(({ kind, ...row }) => ({ ...row, action: kind as Action }))
}
