/** Fills databases without the program, so that a million checks take seconds. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf, newApiKey, newPingKey } from '../src/lib/secrets/secrets.js'
import { inTransaction, type SqliteDatabase } from '../src/storage/sqlite/engines/engine.js'
import { sqliteEngine } from '../src/storage/sqlite/engines/index.js'
import { migrateSqlite } from '../src/storage/sqlite/migrate.js'

export interface Seed {
  checks: number
  /** The schedule of the check with this number (0, 1, …), or null if it has a period. */
  schedule?: (number: number) => string | null
  /** When the check with this number goes down without a ping (ms); by default a day from now. */
  deadline?: (number: number) => number
  /** Whether the check with this number tracks each of its runs; by default none does. */
  tracksEach?: (number: number) => boolean
  /** The check that the check with this number depends on, or null; by default none. */
  parentOf?: (number: number) => number | null
  /** The number of pings in the log of each check. */
  pings?: number
  flips?: number
  /** The settings of channels. The check with this number alerts the channel or channels numbered `webhookOf`. */
  webhooks?: readonly string[]
  webhookOf?: (number: number) => number | readonly number[]
  /** Their kind; by default `webhook`. */
  kindOf?: (webhook: number) => string
  /** The project (1, 2, …) of a webhook, and so of the checks that alert it; by default one project for all. */
  projectOf?: (webhook: number) => number
}

/** The contents of a filled database. */
export interface Seeded {
  key: string
  pingKey: string
  checks: { uuid: string; slug: string; badgeKey: string }[]
}

const DAY_MS = 86_400_000

/** Creates a database in `folder` with one project, its keys, and checks that are up. */
export function seed(folder: string, what: Seed): Seeded {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'punctual.db')
  migrateSqlite(file, { create: true })
  const database = sqliteEngine().open(file, { mustExist: true })
  try {
    database.exec('PRAGMA synchronous = OFF')
    database.exec('PRAGMA cache_size = -262144')
    const seeded = inTransaction(database, () => fill(database, what))
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    return seeded
  } finally {
    database.close()
  }
}

function fill(database: SqliteDatabase, what: Seed): Seeded {
  const now = Date.now()
  const { deadline = () => now + DAY_MS, schedule = () => null, projectOf = () => 1 } = what
  const webhooksOf = (number: number) => [what.webhookOf?.(number) ?? 0].flat()
  const webhookOf = (number: number) => webhooksOf(number)[0]!
  const [key, pingKey] = [newApiKey('rw'), newPingKey()]
  const project = database.prepare(
    `INSERT INTO projects (id, uuid, name, ping_key, badge_key, n_checks, created_at)
     VALUES (?, ?, 'Bench', ?, ?, ?, ?)`,
  )
  const projects = new Set([1, ...(what.webhooks ?? []).map((_, index) => projectOf(index))])
  const checksOf = (id: number) =>
    Array.from({ length: what.checks }, (_, number) => projectOf(webhookOf(number))).filter(one => one === id)
  for (const id of projects) {
    project.run(id, randomUUID(), id === 1 ? pingKey : newPingKey(), randomUUID(), checksOf(id).length, now)
  }
  database
    .prepare(`INSERT INTO api_keys (project_id, kind, digest, hint, created_at) VALUES (1, 'rw', ?, ?, ?)`)
    .run(digestOf(key), key.slice(0, 8), now)
  const channel = database.prepare(
    `INSERT INTO channels (uuid, project_id, name, kind, settings, created_at) VALUES (?, ?, '', ?, ?, ?)`,
  )
  for (const [index, settings] of (what.webhooks ?? []).entries()) {
    channel.run(randomUUID(), projectOf(index), what.kindOf?.(index) ?? 'webhook', settings, now)
  }

  const check = database.prepare(
    `INSERT INTO checks (id, uuid, project_id, status, status_since, kind, period_s, grace_s, schedule,
       n_pings, last_ping, due_at, alert_after, wake_at, track_runs)
     VALUES (?, ?, ?, 'up', ?, ?, 86400, 60, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const details = database.prepare(
    `INSERT INTO check_details (check_id, project_id, unique_key, badge_key, name, slug, tags, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const link = database.prepare('INSERT INTO check_channels (check_id, channel_id) VALUES (?, ?)')
  const checks = Array.from({ length: what.checks }, (_, number) => {
    const made = { uuid: randomUUID(), slug: `job-${number}`, badgeKey: randomUUID() }
    const projectId = projectOf(webhookOf(number))
    const cron = schedule(number)
    const alertAfter = deadline(number)
    // As the settings of the check say, so that changing them leaves the deadline as it is.
    const lastPing = alertAfter - 60_000 - DAY_MS
    check.run(
      number + 1,
      made.uuid,
      projectId,
      lastPing,
      cron === null ? 'simple' : 'cron',
      cron ?? '* * * * *',
      what.pings ?? 1,
      lastPing,
      alertAfter - 60_000,
      alertAfter,
      alertAfter,
      what.tracksEach?.(number) ? 'each' : 'latest',
    )
    const uniqueKey = createHash('sha1').update(made.uuid).digest('hex')
    const tags = `prod team-${number % 20}`
    details.run(number + 1, projectId, uniqueKey, made.badgeKey, `Job ${number}`, made.slug, tags, now)
    if (what.webhooks) for (const webhook of webhooksOf(number)) link.run(number + 1, webhook + 1)
    return made
  })
  const depend = database.prepare('INSERT INTO check_parents (check_id, parent_id) VALUES (?, ?)')
  for (const number of checks.keys()) {
    const parent = what.parentOf?.(number) ?? null
    if (parent !== null) depend.run(number + 1, parent + 1)
  }
  addHistory(database, what, now - 2 * DAY_MS)
  return { key, pingKey, checks }
}

function addHistory(database: SqliteDatabase, { checks, pings = 0, flips = 0 }: Seed, before: number): void {
  const ping = database.prepare(
    `INSERT INTO pings (check_id, n, created_at, created_us, kind, scheme, remote_addr, method, ua)
     VALUES (?, ?, ?, 0, ?, 'http', '192.0.2.1', 'GET', 'curl/8.14.1')`,
  )
  for (let n = 1; n <= pings; n++) {
    const at = before - (pings - n) * 1000
    const kind = n % 2 === 1 ? 'start' : 'success'
    for (let check = 1; check <= checks; check++) ping.run(check, n, at, kind)
  }
  const flip = database.prepare(
    'INSERT INTO flips (check_id, created_at, old_status, new_status, reason) VALUES (?, ?, ?, ?, ?)',
  )
  for (let number = 0; number < flips; number++) {
    const [from, to, reason] = number % 2 === 0 ? ['up', 'down', 'missed'] : ['down', 'up', '']
    const at = before - (flips - number) * 1000
    for (let check = 1; check <= checks; check++) flip.run(check, at, from, to, reason)
  }
}
