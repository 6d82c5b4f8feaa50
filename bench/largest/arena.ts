/** The databases on which tenants act: one tenant with many checks and channels, and a quiet one. */
import { randomUUID } from 'node:crypto'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { newApiToken } from '../../src/lib/secrets/api-token.js'
import { digestOf, newApiKey, newToken } from '../../src/lib/secrets/secrets.js'
import type { SqliteDatabase } from '../../src/storage/sqlite/engines/engine.js'
import { sqliteEngine } from '../../src/storage/sqlite/engines/index.js'
import { type Database, openBeside } from '../database.js'
import type { Options } from '../options.js'
import { copyToPostgres, makeDatabase, type OwnDatabase } from '../postgres-site.js'
import type { Receiver } from '../receiver.js'
import { type Seeded, seed } from '../seed.js'

export interface ArenaShape {
  checks: number
  channels: number
  /** The number of channels that each check alerts; all by default. */
  links?: number
  /** What the channels call does, by default it answers at once: see receiver-process.ts. With `hang`, deliveries wait. */
  receiver?: 'hang' | 'drip' | 'limit' | 'redirect' | 'endless' | 'late'
  /** The number of pings in the log of each check. */
  pings?: number
  /** The number of the check that one depends on; asked for all but the first. */
  parentOf?: (number: number) => number
  /** More rows, as statements. */
  more?: string
}

const NOW = "(strftime('%s') * 1000)"
const LONG_AGO = `(${NOW} - 86400000 * 1000)`
const UUID =
  "lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' || " +
  "substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))"

/** Every database. A project has a limit of channels, or 500 are taken where it has none. */
export const ARENAS = {
  wide: { checks: 2_000, channels: 500 },
  bare: { checks: 2_000, channels: 500, links: 0 },
  // As many channels in the other project, which checks get that move there.
  moving: {
    checks: 2_000,
    channels: 500,
    more: `INSERT INTO channels (uuid, project_id, kind, settings, created_at)
      SELECT ${UUID}, 3, kind, settings, created_at FROM channels WHERE project_id = 1`,
  },
  many: { checks: 10_000, channels: 1 },
  hanging: { checks: 10_000, channels: 1, receiver: 'hang' },
  // Leaves room for a group.
  unlinked: { checks: 10_000, channels: 499, links: 0 },
  // The project's policy alerts 100 channels an hour after those of the check.
  policied: {
    checks: 10_000,
    channels: 100,
    links: 1,
    receiver: 'hang',
    more: `INSERT INTO policies (id, project_id, name, steps, created_at) VALUES (1, 1, 'All', '[{"after":0,"channels":"check"}]', ${NOW});
      UPDATE projects SET policy_id = 1 WHERE id = 1`,
  },
  few: { checks: 200, channels: 500 },
  fewHanging: { checks: 200, channels: 500, receiver: 'hang' },
  fewDripping: { checks: 200, channels: 60, receiver: 'drip' },
  fewLimited: { checks: 200, channels: 60, receiver: 'limit' },
  fewRedirected: { checks: 200, channels: 60, receiver: 'redirect' },
  fewEndless: { checks: 200, channels: 60, receiver: 'endless' },
  fewLate: { checks: 200, channels: 60, receiver: 'late' },
  dependants: { checks: 10_000, channels: 1, parentOf: () => 0 },
  chained: { checks: 10_000, channels: 1, parentOf: number => number - 1 },
  logged: { checks: 10_000, channels: 1, pings: 100 },
  // More than is kept: the prune deletes ten pings of each check.
  overfull: { checks: 10_000, channels: 1, pings: 110 },
  // Incidents and events that are older than what is kept.
  old: {
    checks: 10_000,
    channels: 1,
    more: `INSERT INTO incidents (project_id, check_id, opened_at, since_at, cause, down_at, flip_id, closed_at, closed_by)
        SELECT 1, id, ${LONG_AGO}, ${LONG_AGO}, 'failed', ${LONG_AGO}, id, ${LONG_AGO} + 1000, 'recovery'
        FROM checks WHERE project_id = 1;
      INSERT INTO incident_events (incident_id, created_at, kind)
        SELECT i.id, ${LONG_AGO}, 'note' FROM incidents i JOIN json_each('[1,2,3,4,5,6,7,8,9,10]');
      INSERT INTO events (project_id, created_at, type, object_id, object_name)
        SELECT 1, ${LONG_AGO}, 'check.paused', uuid, 'Job' FROM checks JOIN json_each('[1,2,3,4]')`,
  },
  notified: {
    checks: 10_000,
    channels: 1,
    more: `INSERT INTO notifications (uuid, channel_id, check_id, check_status, attempt, created_at)
      SELECT ${UUID}, 1, c.id, 'down', 1, ${NOW} - 86400000 + n.value
      FROM checks c JOIN json_each('[1,2,3,4,5,6,7,8,9,10]') n WHERE c.project_id = 1`,
  },
  outputs: {
    checks: 300,
    channels: 1,
    more: `INSERT INTO pings (check_id, n, created_at, created_us, kind, scheme, remote_addr, method, ua, body)
      SELECT c.id, n.value, c.last_ping - 4 + n.value, 0, 'success', 'http', '192.0.2.1', 'POST', 'curl/8.14.1',
        CAST(replace(hex(zeroblob(400)), '00', 'a line of output' || char(10)) AS BLOB)
      FROM checks c JOIN json_each('[1,2,3,4]') n WHERE c.project_id = 1;
      UPDATE checks SET n_pings = 4 WHERE project_id = 1`,
  },
} as const satisfies Record<string, ArenaShape>

export type ArenaName = keyof typeof ARENAS

/** The checks of the quiet tenant, each of which alerts at most once. */
export const QUIET = { pinged: 50, failing: 1_000, silent: 1_000 } as const
/** A check that goes silent is down so long after its only ping (ms): its period and its grace time. */
export const SILENT_AFTER_MS = 2_000

/** A filled database that is copied for each act. */
export interface Arena extends Seeded {
  shape: ArenaShape
  /** The number of the quiet tenant's first check. */
  firstQuiet: number
  /** The session, the API token and the read-only key of the tenant, and the UUIDs of their project and another one. */
  session: string
  token: string
  readKey: string
  projects: [string, string]
  channels: string[]
  folder: string
  /** The template of PostgreSQL databases, and the settings for them. */
  template: { database: OwnDatabase; settings: Record<string, string> } | null
}

const SCOPES =
  'checks:read checks:write pings:read pings:write incidents:write channels:write config:write log:read members:write'

/** Creates a database. The quiet tenant's webhook calls `quiet`, those of the other tenant call `loud`. */
export async function makeArena(
  { folder: base, server }: Options,
  name: ArenaName,
  quiet: Receiver,
  loud: Receiver,
): Promise<Arena> {
  const shape: ArenaShape = ARENAS[name]
  const folder = join(base, `arena-${process.pid}-${name}`)
  rmSync(folder, { recursive: true, force: true })
  const { checks, channels, links, receiver, parentOf } = shape
  const ofTenant = Array.from({ length: links ?? 0 }, (_, place) => place)
  const seeded = seed(folder, {
    checks: checks + QUIET.pinged + QUIET.failing + QUIET.silent + 1,
    webhooks: [
      ...Array.from({ length: channels }, () => loud.webhook(receiver ? `${receiver}/tenant` : 'tenant')),
      quiet.webhook('quiet'),
    ],
    webhookOf: number => (number < checks ? ofTenant : channels),
    projectOf: webhook => (webhook === channels ? 2 : 1),
    ...(parentOf && { parentOf: number => (number > 0 && number < checks ? parentOf(number) : null) }),
  })
  const people = addPeople(join(folder, 'punctual.db'), shape)
  const database = server && (await makeDatabase(server))
  const template = database && { database, settings: copyToPostgres(folder, database.url) }
  const opened = await openBeside(folder, database?.url)
  // Without looking up each key, which takes most of the time.
  if (database) await opened.value('SET session_replication_role = replica')
  await addRows(shape, opened)
  await opened.close()
  return { ...seeded, ...people, shape, firstQuiet: checks, folder, template }
}

/** Adds the many rows, which the database makes faster than they are copied. */
async function addRows({ links, pings = 0 }: ArenaShape, database: Database): Promise<void> {
  if (links === undefined) {
    await database.value(
      `INSERT INTO check_channels (check_id, channel_id)
       SELECT c.id, h.id FROM checks c JOIN channels h ON h.project_id = c.project_id WHERE c.project_id = 1`,
    )
  }
  if (pings > 0) {
    await database.value(
      `INSERT INTO pings (check_id, n, created_at, created_us, kind, scheme, remote_addr, method, ua)
       WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${pings})
       SELECT c.id, numbers.n, c.last_ping - (${pings} - numbers.n) * 600000, 0,
         CASE numbers.n % 2 WHEN 1 THEN 'start' ELSE 'success' END, 'http', '192.0.2.1', 'GET', 'curl/8.14.1'
       FROM checks c CROSS JOIN numbers WHERE c.project_id = 1`,
    )
    await database.value(`UPDATE checks SET n_pings = ${pings} WHERE project_id = 1`)
  }
}

/** Copies the arena's database to `folder`. */
export function copyArena(arena: Arena, folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  cpSync(arena.folder, folder, { recursive: true })
}

/** Adds the owners of the projects, a member, a session and a token. */
function addPeople(file: string, shape: ArenaShape) {
  const database = sqliteEngine().open(file, { mustExist: true })
  try {
    const [session, token, readKey] = [newToken(), newApiToken(), newApiKey('ro')]
    const now = Date.now()
    const all = (text: string, ...values: (string | number)[]) => database.prepare(text).arrays(...values)
    const run = (text: string, ...values: (string | number)[]) => database.prepare(text).run(...values)
    for (const [id, email] of ['loud', 'quiet', 'member'].entries()) {
      run(
        `INSERT INTO users (id, uuid, email, created_at, email_proven_at) VALUES (?, ?, ?, ?, ?)`,
        ...[id + 1, randomUUID(), `${email}@example.org`, now, now],
      )
    }
    run('UPDATE projects SET owner_id = id')
    run(
      `INSERT INTO api_keys (project_id, kind, digest, hint, created_at) VALUES (1, 'ro', ?, ?, ?)`,
      ...[digestOf(readKey), readKey.slice(0, 8), now],
    )
    run(
      `INSERT INTO projects (id, uuid, owner_id, name, badge_key, created_at) VALUES (3, ?, 1, 'Other', ?, ?)`,
      ...[randomUUID(), randomUUID(), now],
    )
    run(`INSERT INTO members (project_id, user_id, role, created_at) VALUES (1, 3, 'manager', ?)`, now)
    for (const [user, secret] of [
      [1, session],
      [3, `${session}3`],
    ] as const) {
      run(
        `INSERT INTO sessions (uuid, digest, user_id, method, ua, created_at, seen_at, proved_at, expires_at)
         VALUES (?, ?, ?, 'password', '', ?, ?, ?, ?)`,
        ...[randomUUID(), digestOf(secret), user, now, now, now, now + 86_400_000],
      )
    }
    run(
      `INSERT INTO api_tokens (uuid, user_id, name, digest, hint, scopes, author_id, created_at)
       VALUES (?, 1, 'bench', ?, 'pt_', ?, 1, ?)`,
      ...[randomUUID(), digestOf(token), SCOPES, now],
    )
    makeQuiet(database, shape)
    if (shape.more) database.exec(shape.more)
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    const projects = all('SELECT uuid FROM projects WHERE id <> 2 ORDER BY id').map(([uuid]) => String(uuid))
    const channels = all('SELECT uuid FROM channels WHERE project_id = 1 ORDER BY id')
    return {
      session,
      token,
      readKey,
      projects: projects as [string, string],
      channels: channels.map(([uuid]) => String(uuid)),
    }
  } finally {
    database.close()
  }
}

/** Lets the checks that are to go silent do so soon after a ping. */
function makeQuiet(database: SqliteDatabase, { checks }: ArenaShape): void {
  database
    .prepare('UPDATE checks SET period_s = 1, grace_s = 1 WHERE id > ? AND id <= ?')
    .run(checks + QUIET.pinged + QUIET.failing, checks + QUIET.pinged + QUIET.failing + QUIET.silent)
}
