import { Refusal } from '../../../core/errors.js'
import { SILENT_AFTER_MS } from '../../../core/instance/beats.js'
import type { Connection } from '../connection.js'

/**
 * Throws a `Refusal` if a process of Punctual uses the database: each reads where the rows are only when it starts. One that
 * starts from now on waits until the transaction of `connection` ends, because it reads the migrations first.
 */
export async function requireStopped(connection: Connection): Promise<void> {
  await connection.query('LOCK TABLE migrations IN ACCESS EXCLUSIVE MODE')
  await requireNoBeats(connection)
  // What sends alerts, and commands, have no beats. A pooler keeps connections that nobody uses.
  const { rows } = await connection.query<{ open: number }>(
    `SELECT count(*) AS open FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'punctual' AND pid <> pg_backend_pid()
        AND (state <> 'idle' OR state_change > clock_timestamp() - $1::bigint * interval '1 ms')
        AND wait_event IS DISTINCT FROM 'relation'`,
    [SILENT_AFTER_MS],
  )
  if (rows[0]!.open > 0) refuse(`${rows[0]!.open} connections of Punctual to the database are in use`)
}

/** Throws a `Refusal` if a server has taken pings just now. */
export async function requireNoBeats(connection: Connection): Promise<void> {
  const { rows } = await connection.query<{ at: number | null }>(
    'SELECT max(beat_at) AS at FROM beats WHERE stopped = 0',
  )
  const { at } = rows[0]!
  const age = at === null ? SILENT_AFTER_MS : Date.now() - at
  if (age < SILENT_AFTER_MS) refuse(`a server took pings ${Math.max(0, Math.round(age / 1000))} s ago`)
}

function refuse(reason: string): never {
  throw new Refusal(
    'conflict',
    `${reason}: stop every process of Punctual, and try again. One that was killed counts as running for ${SILENT_AFTER_MS / 1000} s`,
  )
}
