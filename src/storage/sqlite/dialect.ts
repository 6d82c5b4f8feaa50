import type { Database, Statement } from 'better-sqlite3'
import type { CheckKind, StoredStatus } from '../../core/check.js'
import type { Dialect, LoadedCheck } from '../dialect.js'
import type { CheckCache } from './check-cache.js'

interface HotRow {
  id: number
  uuid: string
  project_id: number
  status: string
  status_since: number
  kind: string
  period_s: number
  grace_s: number
  schedule: string
  tz: string
  methods: string
  manual_resume: number
  filter_http_body: number
  filter_default_fail: number
  n_pings: number
  last_ping: number | null
  last_start: number | null
  last_start_rid: string | null
  last_duration: number | null
  due_at: number | null
  alert_after: number | null
  wake_at: number | null
  confirmation_link: number
}

/** The ping path on SQLite: prepared statements run row by row, in the worker that owns the connection. */
export function sqliteDialect(database: Database, cache: CheckCache): Dialect {
  const statements = new Map<string, Statement<unknown[]>>()
  const arrayStatements = new Map<string, Statement<unknown[]>>()
  // Prepared at first use: the tables may not exist yet when the connection opens.
  const prepare = (text: string) => {
    let statement = statements.get(text)
    if (!statement) {
      statement = database.prepare<unknown[]>(text)
      statements.set(text, statement)
    }
    return statement
  }

  return {
    name: 'sqlite',
    maxParameters: 4_000,

    async all(sql, parameters) {
      const statement = prepare(sql)
      if (statement.reader) return statement.all(...parameters) as object[]
      statement.run(...parameters)
      return []
    },

    async arrays(sql, parameters) {
      let statement = arrayStatements.get(sql)
      if (!statement) {
        statement = database.prepare<unknown[]>(sql).raw(true)
        arrayStatements.set(sql, statement)
      }
      return statement.all(...parameters) as unknown[][]
    },

    async loadChecks(uuids) {
      const select = prepare('SELECT * FROM checks WHERE uuid = ?')
      return uuids.flatMap(uuid => cache.get(uuid) ?? toCheck(select.get(uuid) as HotRow | undefined))
    },

    async loadWoken(now, limit) {
      const select = prepare('SELECT * FROM checks WHERE wake_at <= ? ORDER BY wake_at LIMIT ?')
      return (select.all(now, limit) as HotRow[]).flatMap(toCheck)
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

    async saveStates(checks, wakeChanged) {
      // wake_at stands in a statement of its own, so that its index is rewritten only when it changes.
      const update = prepare(
        `UPDATE checks SET status = ?, status_since = ?, n_pings = ?, last_ping = ?, last_start = ?,
           last_start_rid = ?, last_duration = ?, due_at = ?, alert_after = ?, confirmation_link = ?
         WHERE id = ?`,
      )
      const updateWake = prepare('UPDATE checks SET wake_at = ? WHERE id = ?')
      for (const check of checks) {
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
        if (wakeChanged.has(check.id)) updateWake.run(check.wakeAt, check.id)
        cache.put(check)
      }
    },

    async insertPings(rows) {
      const insert = prepare(
        `INSERT INTO pings (check_id, n, created_at, created_us, kind, scheme, remote_addr, method, ua, rid,
           exit_status, body, object_size) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
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
      }
    },
  }
}

function toCheck(row: HotRow | undefined): LoadedCheck[] {
  if (!row) return []
  return [
    {
      id: row.id,
      uuid: row.uuid,
      projectId: row.project_id,
      status: row.status as StoredStatus,
      statusSince: row.status_since,
      kind: row.kind as CheckKind,
      periodSeconds: row.period_s,
      graceSeconds: row.grace_s,
      schedule: row.schedule,
      tz: row.tz,
      methods: row.methods as '' | 'POST',
      manualResume: row.manual_resume === 1,
      filterHttpBody: row.filter_http_body === 1,
      filterDefaultFail: row.filter_default_fail === 1,
      nPings: row.n_pings,
      lastPing: row.last_ping,
      lastStart: row.last_start,
      lastStartRid: row.last_start_rid,
      lastDurationMs: row.last_duration,
      dueAt: row.due_at,
      alertAfter: row.alert_after,
      wakeAt: row.wake_at,
      confirmationLink: row.confirmation_link === 1,
    },
  ]
}
