/** How servers learn that they have to open the database anew, because its tables move. Decision 0150. */
import { newUuid } from '../../../lib/secrets/secrets.js'
import type { Connection } from '../connection.js'
import type { Connections } from '../connections.js'
import { MOVE_NOTICE } from './notes.js'

/** How often (ms) a server looks for a notice. */
const LOOK_MS = 2_000

/** Asks all servers that use the database to open it anew. */
export async function giveNotice(connection: Connection): Promise<void> {
  await connection.query(
    'INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    [MOVE_NOTICE, newUuid()],
  )
}

/** Takes the notice back. Servers that have seen it open the database anew all the same. */
export async function withdrawNotice(connection: Connection): Promise<void> {
  await connection.query('DELETE FROM meta WHERE key = $1', [MOVE_NOTICE])
}

/** The notice that was given last; null if there is none, or no database yet. */
export async function readNotice(connection: Connection): Promise<string | null> {
  const { rows: tables } = await connection.query<{ known: string | null }>(
    `SELECT to_regclass('meta')::text AS known`,
  )
  return tables[0]!.known === null ? null : await lastNotice(connection)
}

async function lastNotice(connection: Connection): Promise<string | null> {
  const { rows } = await connection.query<{ value: string }>('SELECT value FROM meta WHERE key = $1', [
    MOVE_NOTICE,
  ])
  return rows[0]?.value ?? null
}

/**
 * Calls `onMove` once when another notice than `known` is given. Returns a function that ends that, and resolves when nothing is asked any
 * more.
 */
export function watchNotice(
  connections: Connections,
  known: string | null,
  onMove: () => void,
): () => Promise<void> {
  let looking = Promise.resolve()
  const look = async () => {
    const connection = await connections.take()
    try {
      const notice = await lastNotice(connection)
      if (notice === null || notice === known) return
    } finally {
      connections.giveBack(connection)
    }
    clearInterval(timer)
    onMove()
  }
  const timer = setInterval(() => {
    // While the database cannot be reached, there is nothing to see.
    looking = looking.then(look).catch(() => {})
  }, LOOK_MS).unref()
  return async () => {
    clearInterval(timer)
    await looking
  }
}
