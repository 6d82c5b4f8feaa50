import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { SESSION_COOKIE } from '../src/http/web/people/session.js'
import { digestOf, newToken } from '../src/lib/secrets/secrets.js'
import { selectValue } from '../src/storage/sqlite/engines/engine.js'
import { sqliteEngine } from '../src/storage/sqlite/engines/index.js'

/** Somebody who is signed in and owns the project of the benchmark. */
export interface Reader {
  cookie: { name: string; value: string }
  /** The UUID of the project. */
  project: string
}

const DAY_MS = 86_400_000

/** Puts the project's owner and a session of theirs into the database in `folder`, which a program may have open. */
export function signIn(folder: string): Reader {
  const database = sqliteEngine().open(join(folder, 'punctual.db'), { mustExist: true })
  try {
    const now = Date.now()
    const token = newToken()
    database
      .prepare(`INSERT INTO users (id, uuid, email, created_at) VALUES (1, ?, 'bench@example.org', ?)`)
      .run(randomUUID(), now)
    database
      .prepare(
        `INSERT INTO sessions (uuid, digest, user_id, method, ua, created_at, seen_at, proved_at, expires_at)
         VALUES (?, ?, 1, 'password', '', ?, ?, ?, ?)`,
      )
      .run(randomUUID(), digestOf(token), now, now, now, now + DAY_MS)
    const project = selectValue(database, 'UPDATE projects SET owner_id = 1 RETURNING uuid')
    return { cookie: { name: SESSION_COOKIE, value: token }, project: String(project) }
  } finally {
    database.close()
  }
}
