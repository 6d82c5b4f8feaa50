import { toLoadedCheck } from '../checks/check-rows.js'
import { trackingText } from '../checks/states.js'
import type { ChangedStates, Dialect, LoadedCheck, PingRow } from '../dialect.js'
import { bytes, numbers, texts } from './arrays.js'
import { type Connection, toParameter } from './connection.js'
import type { KnownChecks } from './known-checks.js'

/** With this engine's own way for pings of checks that are remembered. */
export interface OwnDialect extends Dialect {
  /**
   * Saves those checks that are still as they were remembered, with their rows of the log, and returns them. No other
   * statement of its transaction may change a check, since a version is a transaction.
   */
  saveKnown(
    checks: readonly SavedKnown[],
    changed: ChangedStates,
    rows: readonly PingRow[],
  ): Promise<SavedVersion>
}

/** A check to be saved, and which state of it this is made from. */
export interface SavedKnown {
  check: LoadedCheck
  before: LoadedCheck
  version: string
}

/** A state of a check's row: the transaction that wrote it. */
interface Version {
  id: number
  version: string
}

/** The checks, by their id, that were saved as one version. */
export interface SavedVersion {
  ids: ReadonlySet<number>
  version: string
}

/**
 * The ping path on PostgreSQL: each call is one statement for any number of rows, whose plan is kept. Rows are locked
 * in the order of their UUIDs, so that two batches with checks in common cannot block each other for good; the lock leaves
 * alone what only refers to a check (NO KEY).
 */
export function postgresDialect(connection: Connection, known?: KnownChecks): OwnDialect {
  return {
    name: 'postgres',
    maxParameters: 30_000,
    skipsLocked: true,
    checksAtOnce: 10_000,

    async all(sql, parameters, keepsPlan = false) {
      const { rows } = keepsPlan
        ? await connection.prepared<object>(sql, parameters.map(toParameter))
        : await connection.query<object>(sql, parameters)
      return rows
    },

    async arrays(sql, parameters) {
      return await connection.arrays(sql, parameters)
    },

    async loadChecks(uuids) {
      if (uuids.length === 0) return []
      const { rows } = await connection.prepared<Version>(LOAD_CHECKS, [texts([...uuids].sort())])
      return rows.map(row => {
        const check = toLoadedCheck(row)
        known?.loaded(check, row.version)
        return check
      })
    },

    async loadWoken(now, limit, which, except = []) {
      const order = which === 'earliest' ? 'ASC' : 'DESC'
      const { rows } = await connection.query<object>(
        `SELECT * FROM checks WHERE wake_at <= $1 AND id <> ALL($3::bigint[]) ORDER BY wake_at ${order} LIMIT $2
           FOR NO KEY UPDATE SKIP LOCKED`,
        [now, limit, except],
      )
      return rows.map(toLoadedCheck)
    },

    async findBySlug(pairs) {
      const { rows } = await connection.query<{ place: number; project_id: number; uuid: string | null }>(
        `SELECT asked.place, p.id AS project_id, found.uuid
           FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (ping_key, slug, place)
           JOIN projects p ON p.ping_key = asked.ping_key
           LEFT JOIN LATERAL (
             SELECT c.uuid FROM check_details d JOIN checks c ON c.id = d.check_id
              WHERE d.project_id = p.id AND d.slug = asked.slug LIMIT 2
           ) found ON true`,
        [texts(pairs.map(pair => pair.pingKey)), texts(pairs.map(pair => pair.slug))],
      )
      const matches = pairs.map(() => ({ projectId: null as number | null, uuids: [] as string[] }))
      for (const { place, project_id, uuid } of rows) {
        const match = matches[place - 1]!
        match.projectId = project_id
        if (uuid !== null) match.uuids.push(uuid)
      }
      return matches
    },

    async saveStates(checks, changed) {
      if (checks.length === 0) return
      const columns = stateColumns(checks, changed.wakeAt)
      const { rows } = await connection.prepared<Version>(SAVE_STATES, columns)
      if (!known) return
      const versions = new Map(rows.map(({ id, version }) => [id, version]))
      for (const check of checks) {
        const version = versions.get(check.id)
        // Should this transaction not be committed, no row has this version.
        if (version !== undefined) known.saved(check, version)
      }
    },

    saveKnown(asked, changed, rows) {
      const columns = [
        ...stateColumns(
          asked.map(({ check }) => check),
          changed.wakeAt,
        ),
        texts(asked.map(({ version }) => version)),
        texts(asked.map(({ before }) => before.status)),
        numbers(asked.map(({ before }) => before.nPings)),
        numbers(asked.map(({ before }) => before.lastPing)),
        numbers(asked.map(({ before }) => before.lastStart)),
        texts(asked.map(({ before }) => before.lastStartRid)),
        numbers(asked.map(({ before }) => before.wakeAt)),
        ...pingColumns(rows),
      ]
      return connection.prepared<{ ids: string; version: string }>(SAVE_KNOWN, columns).then(answer => {
        const { ids, version } = answer.rows[0]!
        return { ids: new Set(ids === '' ? [] : ids.split(',').map(Number)), version }
      })
    },

    insertPings(rows) {
      if (rows.length === 0) return Promise.resolve()
      // Not in an async function: bodies beyond the longest string are an error that the server never hears of.
      const columns = pingColumns(rows)
      return connection.prepared(INSERT_PINGS, columns).then(() => {})
    },
  }
}

/** One look into the index for each, whatever the planner thinks of the table's size, and in the order given. */
const LOAD_CHECKS = `
SELECT c.* FROM unnest($1::text[]) AS asked (uuid)
 CROSS JOIN LATERAL (SELECT *, xmin AS version FROM checks WHERE uuid = asked.uuid FOR NO KEY UPDATE) AS c`

/** A column that keeps its value costs nothing: the row is rewritten anyway, its indexes are not. */
const SET_STATE = `
   SET status = s.status, status_since = s.status_since, n_pings = s.n_pings, last_ping = s.last_ping,
       last_start = s.last_start, last_start_rid = s.last_start_rid, last_duration = s.last_duration,
       due_at = s.due_at, alert_after = s.alert_after, confirmation_link = s.confirmation_link, tracking = s.tracking,
       wake_at = CASE s.wake_changed WHEN 1 THEN s.wake_at ELSE c.wake_at END`

const STATE_TYPES = `$1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[],
              $8::bigint[], $9::bigint[], $10::bigint[], $11::smallint[], $12::smallint[], $13::bigint[], $14::text[]`

const STATE_NAMES = `id, status, status_since, n_pings, last_ping, last_start, last_start_rid,
             last_duration, due_at, alert_after, confirmation_link, wake_changed, wake_at, tracking`

const SAVE_STATES = `
UPDATE checks AS c ${SET_STATE}
  FROM unnest(${STATE_TYPES}) AS s (${STATE_NAMES})
 WHERE c.id = s.id
RETURNING c.id, c.xmin AS version`

function stateColumns(checks: readonly LoadedCheck[], wakeChanged: ReadonlySet<number>): string[] {
  return [
    numbers(checks.map(check => check.id)),
    texts(checks.map(check => check.status)),
    numbers(checks.map(check => check.statusSince)),
    numbers(checks.map(check => check.nPings)),
    numbers(checks.map(check => check.lastPing)),
    numbers(checks.map(check => check.lastStart)),
    texts(checks.map(check => check.lastStartRid)),
    numbers(checks.map(check => check.lastDurationMs)),
    numbers(checks.map(check => check.dueAt)),
    numbers(checks.map(check => check.alertAfter)),
    numbers(checks.map(check => (check.confirmationLink ? 1 : 0))),
    numbers(checks.map(check => (wakeChanged.has(check.id) ? 1 : 0))),
    numbers(checks.map(check => check.wakeAt)),
    texts(checks.map(trackingText)),
  ]
}

const PING_NAMES = `check_id, n, created_at, created_us, kind, scheme, remote_addr, method, ua, rid,
                   exit_status, body, object_size, duration, cause`

const PING_TYPES = [
  ...['bigint', 'bigint', 'bigint', 'smallint', 'text', 'text', 'text', 'text', 'text', 'text', 'smallint'],
  ...['bytea', 'integer', 'bigint', 'text'],
]

/** The arrays of the log's rows, as parameters after the first `before`. */
function pingArrays(before: number): string {
  return PING_TYPES.map((type, place) => `$${before + place + 1}::${type}[]`).join(', ')
}

const INSERT_PINGS = `INSERT INTO pings (${PING_NAMES}) SELECT * FROM unnest(${pingArrays(0)})`

/**
 * Answered in one row, which costs less than one for each check.
 * A row that another transaction has changed meanwhile has another `xmin`. After a failover or a crash numbers of
 * transactions come again, so all of the state that the rules go by is compared as well.
 */
const SAVE_KNOWN = `
WITH saved AS (
  UPDATE checks AS c ${SET_STATE}
    FROM unnest(${STATE_TYPES}, $15::xid[], $16::text[], $17::bigint[], $18::bigint[], $19::bigint[], $20::text[],
                $21::bigint[])
         AS s (${STATE_NAMES}, version, was_status, was_n_pings, was_last_ping, was_last_start, was_last_start_rid,
               was_wake_at)
   WHERE c.id = s.id AND c.xmin = s.version AND c.status = s.was_status AND c.n_pings = s.was_n_pings
     AND c.last_ping IS NOT DISTINCT FROM s.was_last_ping AND c.last_start IS NOT DISTINCT FROM s.was_last_start
     AND c.last_start_rid IS NOT DISTINCT FROM s.was_last_start_rid
     AND c.wake_at IS NOT DISTINCT FROM s.was_wake_at
  RETURNING c.id, c.xmin AS version
), logged AS (
  INSERT INTO pings (${PING_NAMES})
  SELECT ${PING_NAMES} FROM unnest(${pingArrays(21)}) WITH ORDINALITY AS p (${PING_NAMES}, place)
   WHERE p.check_id IN (SELECT id FROM saved)
   ORDER BY place
)
SELECT coalesce(string_agg(id::text, ','), '') AS ids, coalesce(min(version::text), '') AS version FROM saved`

function pingColumns(rows: readonly PingRow[]): string[] {
  return [
    numbers(rows.map(row => row.check_id)),
    numbers(rows.map(row => row.n)),
    numbers(rows.map(row => row.created_at)),
    numbers(rows.map(row => row.created_us)),
    texts(rows.map(row => row.kind)),
    texts(rows.map(row => row.scheme)),
    texts(rows.map(row => row.remote_addr)),
    texts(rows.map(row => row.method)),
    texts(rows.map(row => row.ua)),
    texts(rows.map(row => row.rid)),
    numbers(rows.map(row => row.exit_status)),
    bytes(rows.map(row => row.body)),
    numbers(rows.map(row => row.object_size)),
    numbers(rows.map(row => row.duration)),
    texts(rows.map(row => row.cause)),
  ]
}
