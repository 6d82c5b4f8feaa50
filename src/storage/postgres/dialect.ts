import { toLoadedCheck } from '../checks/rows/check-rows.js'
import type { ChangedStates, Dialect, NamedCheck, PingRow } from '../dialect.js'
import { texts } from './arrays.js'
import { type Connection, toParameter } from './connection.js'
import type { KnownChecks } from './known-checks.js'
import {
  INSERT_PINGS,
  type KnownAnswer,
  knownColumns,
  pingColumns,
  readKnown,
  SAVE_KNOWN,
  SAVE_STATES,
  type SavedKnown,
  type SavedVersion,
  stateColumns,
} from './save-statements.js'

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

/** The version of a check's row: the transaction that wrote it. */
export interface Version {
  id: number
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
  const load = async (statement: string, uuids: readonly string[]) => {
    if (uuids.length === 0) return []
    const { rows } = await connection.prepared<Version>(statement, [texts([...uuids].sort())])
    return rows.map(row => {
      const check = toLoadedCheck(row)
      known?.loaded(check, row.version)
      return check
    })
  }

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

    loadChecks: uuids => load(LOAD_CHECKS, uuids),

    async loadUnlocked(uuids) {
      const checks = await load(LOAD_UNLOCKED, uuids)
      const loaded = new Set(checks.map(({ uuid }) => uuid))
      const others = uuids.filter(uuid => !loaded.has(uuid))
      if (others.length === 0) return { checks, locked: [] }
      const { rows: locked } = await connection.prepared<NamedCheck>(NAME_CHECKS, [texts(others)])
      return { checks, locked }
    },

    async loadWoken(now, limit, which, { only = null, except = [] }) {
      const order = which === 'earliest' ? 'ASC' : 'DESC'
      const { rows } = await connection.query<object>(
        `SELECT * FROM checks
          WHERE wake_at <= $1 AND id <> ALL($3::bigint[]) ${only ? 'AND id = ANY($4::bigint[])' : ''}
          ORDER BY wake_at ${order} LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
        [now, limit, except, ...(only ? [only] : [])],
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
const loadLocking = (how: string) => `
SELECT c.* FROM unnest($1::text[]) AS requested (uuid)
 CROSS JOIN LATERAL (SELECT *, xmin AS version FROM checks WHERE uuid = requested.uuid ${how}) AS c`

const LOAD_CHECKS = loadLocking('FOR NO KEY UPDATE')
const LOAD_UNLOCKED = loadLocking('FOR NO KEY UPDATE SKIP LOCKED')
const NAME_CHECKS = `SELECT uuid, id AS "checkId", project_id AS "projectId" FROM checks WHERE uuid = ANY($1::text[])`
