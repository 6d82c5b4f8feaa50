import { randomUUID } from 'node:crypto'
import { SESSION_COOKIE } from '../src/http/web/people/session.js'
import { digestOf, newToken } from '../src/lib/secrets/secrets.js'
import type { Database } from './database.js'
import type { Site } from './site.js'

/** A user who is signed in and owns the project of the benchmark. */
export interface Reader {
  cookie: { name: string; value: string }
  /** The UUID of the project. */
  project: string
}

const DAY_MS = 86_400_000

/** Adds the project's owner, and a session of theirs, to the database of a program that may be running. */
export async function signIn(database: Database): Promise<Reader> {
  const now = Date.now()
  const token = newToken()
  await database.value(
    `INSERT INTO users (id, uuid, email, created_at) VALUES (1, ?, 'bench@example.org', ?)`,
    randomUUID(),
    now,
  )
  await database.value(
    `INSERT INTO sessions (uuid, digest, user_id, method, ua, created_at, seen_at, proved_at, expires_at)
     VALUES (?, ?, 1, 'password', '', ?, ?, ?, ?)`,
    ...[randomUUID(), digestOf(token), now, now, now, now + DAY_MS],
  )
  const project = await database.value('UPDATE projects SET owner_id = 1 RETURNING uuid')
  return { cookie: { name: SESSION_COOKIE, value: token }, project: String(project) }
}

/** Signs in the owner of a site's project. */
export async function signInTo(site: Site): Promise<Reader> {
  const database = await site.openDatabase()
  try {
    return await signIn(database)
  } finally {
    await database.close()
  }
}
