import { toLoadedCheck } from '../checks/rows/check-rows.js'
import { trackingText } from '../checks/rows/states.js'
import type { Dialect, LoadedCheck } from '../dialect.js'
import type { CheckCache } from './check-cache.js'
import type { SqliteDatabase, SqliteStatement, SqliteValue } from './engines/engine.js'

/** The ping path on SQLite: prepared statements run row by row, in the thread that owns the connection. */
export function sqliteDialect(database: SqliteDatabase, cache: CheckCache): Dialect {
  const statements = new Map<string, SqliteStatement>()
  // Prepared on first use: the tables may not exist yet when the connection opens.
  const prepare = (text: string) => {
    let statement = statements.get(text)
    if (!statement) {
      statement = database.prepare(text)
      statements.set(text, statement)
    }
    return statement
  }

  return {
    name: 'sqlite',
    maxParameters: 4_000,
    hasConcurrentWrites: false,
    isDistributed: false,
    lockable: checkIds => [[...checkIds]],
    checksAtOnce: 250,

    async all(sql, parameters) {
      const statement = prepare(sql)
      if (statement.reader) return statement.all(...(parameters as SqliteValue[]))
      statement.run(...(parameters as SqliteValue[]))
      return []
    },

    async arrays(sql, parameters) {
      return prepare(sql).arrays(...(parameters as SqliteValue[]))
    },
    async each(sql, parameters, _expected, onRow) {
      for (const row of prepare(sql).arrays(...(parameters as SqliteValue[]))) onRow(row)
    },
    async eachPacked(sql, parameters, { apart }, onRow) {
      for (const row of prepare(sql).arrays(...(parameters as SqliteValue[])))
        onRow(row, row[apart] as string, JSON.parse)
    },

    async loadChecks(uuids) {
      const select = prepare('SELECT * FROM checks WHERE uuid = ?')
      const checks: LoadedCheck[] = []
      for (const uuid of uuids) {
        const known = cache.get(uuid)
        const row = known ? undefined : (select.get(uuid) as object | undefined)
        if (known) checks.push(known)
        else if (row) checks.push(toLoadedCheck(row))
      }
      return checks
    },

    // One transaction writes at a time.
    async loadUnlocked(uuids) {
      return { checks: await this.loadChecks(uuids), locked: [] }
    },

    async loadWoken(now, limit, which, { only, except = [] }) {
      const order = which === 'earliest' ? 'ASC' : 'DESC'
      const among = (not: string) => `AND id ${not} IN (SELECT value FROM json_each(?))`
      const select = prepare(
        `SELECT * FROM checks WHERE wake_at <= ? ${except.length > 0 ? among('NOT') : ''} ${only ? among('') : ''}
         ORDER BY wake_at ${order} LIMIT ?`,
      )
      const lists = [...(except.length > 0 ? [except] : []), ...(only ? [only] : [])]
      const values = [now, ...lists.map(ids => JSON.stringify(ids)), limit]
      return (select.all(...values) as object[]).map(toLoadedCheck)
    },

    async earliestWakeUp() {
      const first = prepare('SELECT wake_at FROM checks WHERE wake_at IS NOT NULL ORDER BY wake_at LIMIT 1')
      return (first.get() as { wake_at: number } | undefined)?.wake_at ?? null
    },

    async findBySlug(pairs) {
      const project = prepare('SELECT id FROM projects WHERE ping_key = ?')
      const select = prepare(
        `SELECT c.uuid FROM check_details d JOIN checks c ON c.id = d.check_id
         WHERE d.project_id = ? AND d.slug = ? LIMIT 2`,
      )
      return pairs.map(({ pingKey, slug }) => {
        const found = project.get(pingKey) as { id: number } | undefined
        if (!found) return { projectId: null, uuids: [] }
        const rows = select.all(found.id, slug) as { uuid: string }[]
        return { projectId: found.id, uuids: rows.map(row => row.uuid) }
      })
    },

    async saveStates(checks, changed) {
      // wake_at has a statement of its own, so that its index is rewritten only when it changes.
      const set = `status = ?, status_since = ?, n_pings = ?, last_ping = ?, last_start = ?, last_start_rid = ?,
        last_duration = ?, due_at = ?, alert_after = ?, confirmation_link = ?`
      const update = prepare(`UPDATE checks SET ${set} WHERE id = ?`)
      const updateTracking = prepare(`UPDATE checks SET ${set}, tracking = ? WHERE id = ?`)
      const updateWake = prepare('UPDATE checks SET wake_at = ? WHERE id = ?')
      for (const check of checks) {
        const tracks = changed.tracking.size > 0 && changed.tracking.has(check.id)
        if (tracks) updateTracking.run(...stateValues(check), trackingText(check), check.id)
        else {
          // As separate arguments: a list would cost a tenth of the statement.
          update.run(
            check.status,
            check.statusSince,
            check.nPings,
            check.lastPing,
            check.lastStart,
            check.lastStartRid,
            check.lastDurationMs,
            check.dueAt,
            check.alertAfter,
            check.confirmationLink ? 1 : 0,
            check.id,
          )
        }
        if (changed.wakeAt.has(check.id)) updateWake.run(check.wakeAt, check.id)
        cache.put(check)
      }
    },

    async insertPings(rows) {
      const insert = prepare(
        `INSERT INTO pings (check_id, n, created_at, created_us, kind, scheme, remote_addr, method, ua, rid,
           exit_status, body, object_size) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      const more = prepare('UPDATE pings SET duration = ?, cause = ? WHERE check_id = ? AND n = ?')
      for (const row of rows) {
        insert.run(
          row.check_id,
          row.n,
          row.created_at,
          row.created_us,
          row.kind,
          row.scheme,
          row.remote_addr,
          row.method,
          row.ua,
          row.rid,
          row.exit_status,
          row.body,
          row.object_size,
        )
        if (row.duration !== null || row.cause !== null) {
          more.run(row.duration, row.cause, row.check_id, row.n)
        }
      }
    },
  }
}

/** The values of a state's statements, in order. */
function stateValues(check: LoadedCheck): SqliteValue[] {
  const {
    status,
    statusSince,
    nPings,
    lastPing,
    lastStart,
    lastStartRid,
    lastDurationMs,
    dueAt,
    alertAfter,
  } = check
  const times = [lastPing, lastStart, lastStartRid, lastDurationMs, dueAt, alertAfter]
  return [status, statusSince, nPings, ...times, check.confirmationLink ? 1 : 0]
}
