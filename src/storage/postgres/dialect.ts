import { toLoadedCheck } from '../checks/rows/check-rows.js'
import { trackingText } from '../checks/rows/states.js'
import type { ChangedStates, Dialect, LoadedCheck, PingRow } from '../dialect.js'
import { bytes, numbers, texts } from './arrays.js'
import { type Connection, toParameter } from './connection.js'
import type { KnownChecks } from './known-checks.js'

/** The dialect with the fast path for pings of cached checks. */
export interface OwnDialect extends Dialect {
  /**
   * Saves the checks that are unchanged since they were cached, with their log rows, and returns them. No other
   * statement of the transaction may change a check, because a version is a transaction ID.
   */
  saveKnown(
    checks: readonly SavedKnown[],
    changed: ChangedStates,
    rows: readonly PingRow[],
  ): Promise<SavedVersion>
}

/** A check to save, and the state that the change is based on. */
export interface SavedKnown {
  check: LoadedCheck
  before: LoadedCheck
  version: string
}

/** The version of a check's row: the transaction that wrote it. */
export interface Version {
  id: number
  version: string
}

/** The IDs of the checks that were saved, and their common version. */
export interface SavedVersion {
  ids: ReadonlySet<number>
  version: string
}

/** The checks of a batch that were saved. */
export interface Saved {
  /** The version of a saved check; undefined if another process had changed it, so that nothing was saved. */
  versionOf(checkId: number): string | undefined
  /** By the UUIDs of checks: why their server refused them, where others did not. */
  failed?: ReadonlyMap<string, Error>
}

/** The smallest result that is copied: COPY plans its query every time, which costs as much as it saves on some 300 rows. */
const LEAST_COPIED = 500

/**
 * The ping path on PostgreSQL: each call is one statement for any number of rows, and its plan is kept. Rows are
 * locked in the order of their UUIDs, so that two batches with common checks do not deadlock; the lock (NO KEY) does
 * not block rows that only refer to a check.
 */
export function postgresDialect(connection: Connection, known?: KnownChecks): OwnDialect {
  return {
    name: 'postgres',
    maxParameters: 30_000,
    hasConcurrentWrites: true,
    isDistributed: false,
    lockable: checkIds => [[...checkIds]],
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

    async each(sql, parameters, expected, onRow) {
      if (expected >= LEAST_COPIED) await connection.each(sql, parameters, onRow)
      else for (const row of await connection.arrays(sql, parameters)) onRow(row)
    },

    async eachPacked(sql, parameters, { expected, apart }, onRow) {
      if (expected >= LEAST_COPIED) return await connection.eachPacked(sql, parameters, apart, onRow)
      for (const row of await connection.arrays(sql, parameters))
        onRow(row, JSON.stringify(row.slice(apart)), JSON.parse)
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

    async earliestWakeUp() {
      const { rows } = await connection.query<{ wake_at: number }>(
        'SELECT wake_at FROM checks WHERE wake_at IS NOT NULL ORDER BY wake_at LIMIT 1',
      )
      return rows[0]?.wake_at ?? null
    },

    async findBySlug(pairs) {
      const { rows } = await connection.query<{ place: number; project_id: number; uuid: string | null }>(
        `SELECT requested.place, p.id AS project_id, found.uuid
           FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS requested (ping_key, slug, place)
           JOIN projects p ON p.ping_key = requested.ping_key
           LEFT JOIN LATERAL (
             SELECT c.uuid FROM check_details d JOIN checks c ON c.id = d.check_id
              WHERE d.project_id = p.id AND d.slug = requested.slug LIMIT 2
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
        // If this transaction is not committed, no row gets this version.
        if (version !== undefined) known.saved(check, version)
      }
    },

    saveKnown(requested, changed, rows) {
      const columns = knownColumns(requested, changed, rows)
      return connection
        .prepared<KnownAnswer>(SAVE_KNOWN, columns)
        .then(({ rows: [answer] }) => readKnown(answer!))
    },

    insertPings(rows) {
      if (rows.length === 0) return Promise.resolve()
      // Not in an async function: if a body exceeds the longest string, this throws before anything is sent.
      const columns = pingColumns(rows)
      return connection.prepared(INSERT_PINGS, columns).then(() => {})
    },
  }
}

/** One index lookup for each, in the given order, whatever size the planner expects. */
const LOAD_CHECKS = `
SELECT c.* FROM unnest($1::text[]) AS requested (uuid)
 CROSS JOIN LATERAL (SELECT *, xmin AS version FROM checks WHERE uuid = requested.uuid FOR NO KEY UPDATE) AS c`

/** Writing a column that keeps its value costs nothing: the row is rewritten anyway, its indexes are not. */
const SET_STATE = `
   SET status = s.status, status_since = s.status_since, n_pings = s.n_pings, last_ping = s.last_ping,
       last_start = s.last_start, last_start_rid = s.last_start_rid, last_duration = s.last_duration,
       due_at = s.due_at, alert_after = s.alert_after, confirmation_link = s.confirmation_link, tracking = s.tracking,
       wake_at = CASE s.wake_changed WHEN 1 THEN s.wake_at ELSE c.wake_at END`

const STATE_TYPES = `$1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[],
              $8::bigint[], $9::bigint[], $10::bigint[], $11::smallint[], $12::smallint[], $13::bigint[], $14::text[]`

const STATE_NAMES = `id, status, status_since, n_pings, last_ping, last_start, last_start_rid,
             last_duration, due_at, alert_after, confirmation_link, wake_changed, wake_at, tracking`

export const SAVE_STATES = `
UPDATE checks AS c ${SET_STATE}
  FROM unnest(${STATE_TYPES}) AS s (${STATE_NAMES})
 WHERE c.id = s.id
RETURNING c.id, c.xmin AS version`

export function stateColumns(checks: readonly LoadedCheck[], wakeChanged: ReadonlySet<number>): string[] {
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

/** The arrays of log rows, as parameters after the first `before`. */
function pingArrays(before: number): string {
  return PING_TYPES.map((type, place) => `$${before + place + 1}::${type}[]`).join(', ')
}

const INSERT_PINGS = `INSERT INTO pings (${PING_NAMES}) SELECT * FROM unnest(${pingArrays(0)})`

/** Where checks and their log rows are saved. */
interface KnownTables {
  checks: string
  pings: string
  /** What else has to be true. */
  also?: string
  /** Whether the IDs of log rows are given, as the last parameter. */
  areNumbered?: boolean
}

/**
 * Saves the checks that are unchanged, with their log rows. A row that another transaction has changed in the meantime has
 * another `xmin`. Transaction IDs can repeat after a failover or a crash, so the state that the rules use is compared too.
 * Returns one row, which is cheaper than one per check.
 */
export function saveKnownIn({ checks, pings, also = 'true', areNumbered = false }: KnownTables): string {
  const names = areNumbered ? `${PING_NAMES}, id` : PING_NAMES
  const arrays = areNumbered ? `${pingArrays(21)}, $${21 + PING_TYPES.length + 1}::bigint[]` : pingArrays(21)
  return `
WITH saved AS (
  UPDATE ${checks} AS c ${SET_STATE}
    FROM unnest(${STATE_TYPES}, $15::xid[], $16::text[], $17::bigint[], $18::bigint[], $19::bigint[], $20::text[],
                $21::bigint[])
         AS s (${STATE_NAMES}, version, was_status, was_n_pings, was_last_ping, was_last_start, was_last_start_rid,
               was_wake_at)
   WHERE c.id = s.id AND c.xmin = s.version AND c.status = s.was_status AND c.n_pings = s.was_n_pings
     AND c.last_ping IS NOT DISTINCT FROM s.was_last_ping AND c.last_start IS NOT DISTINCT FROM s.was_last_start
     AND c.last_start_rid IS NOT DISTINCT FROM s.was_last_start_rid
     AND c.wake_at IS NOT DISTINCT FROM s.was_wake_at AND ${also}
  RETURNING c.id, c.xmin AS version
), logged AS (
  INSERT INTO ${pings} (${names})
  SELECT ${names} FROM unnest(${arrays}) WITH ORDINALITY AS p (${names}, place)
   WHERE p.check_id IN (SELECT id FROM saved)
   ORDER BY place
)
SELECT coalesce(string_agg(id::text, ','), '') AS ids, coalesce(min(version::text), '') AS version FROM saved`
}

const SAVE_KNOWN = saveKnownIn({ checks: 'checks', pings: 'pings' })

/** What `saveKnownIn` answers. */
export interface KnownAnswer {
  ids: string
  version: string
}

/** The checks that were saved. */
export function readKnown({ ids, version }: KnownAnswer): SavedVersion {
  return { ids: new Set(ids === '' ? [] : ids.split(',').map(Number)), version }
}

/** The parameters of `saveKnownIn`, but for the IDs. */
export function knownColumns(
  requested: readonly SavedKnown[],
  changed: ChangedStates,
  rows: readonly PingRow[],
): string[] {
  return [
    ...stateColumns(
      requested.map(({ check }) => check),
      changed.wakeAt,
    ),
    texts(requested.map(({ version }) => version)),
    texts(requested.map(({ before }) => before.status)),
    numbers(requested.map(({ before }) => before.nPings)),
    numbers(requested.map(({ before }) => before.lastPing)),
    numbers(requested.map(({ before }) => before.lastStart)),
    texts(requested.map(({ before }) => before.lastStartRid)),
    numbers(requested.map(({ before }) => before.wakeAt)),
    ...pingColumns(rows),
  ]
}

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
