/** The log of a check, read directly from the database, oldest first. */
import type { Flip } from '../../src/core/checks/flip.js'
import type { PassedDeadline } from '../../src/core/checks/health/judge.js'
import type { LoggedEvent } from '../../src/core/pings/run-ledger.js'
import type { FreshStore } from './worlds/store.js'

type Raw = FreshStore['raw']

const rowsOf = (raw: Raw, table: string, uuid: string) =>
  raw(`SELECT t.* FROM ${table} t JOIN checks c ON c.id = t.check_id WHERE c.uuid = '${uuid}' ORDER BY t.id`)

export async function loggedFlipsOf(raw: Raw, uuid: string): Promise<Flip[]> {
  return (await rowsOf(raw, 'flips', uuid)).map(row => ({
    createdAt: Number(row.created_at),
    oldStatus: row.old_status as Flip['oldStatus'],
    newStatus: row.new_status as Flip['newStatus'],
    reason: row.reason as Flip['reason'],
    ...(row.since_at !== null && { since: Number(row.since_at) }),
  }))
}

export async function passedDeadlinesOf(raw: Raw, uuid: string): Promise<PassedDeadline[]> {
  return (await rowsOf(raw, 'passed_deadlines', uuid)).map(row => ({
    at: Number(row.passed_at),
    cause: row.cause as PassedDeadline['cause'],
    since: Number(row.since_at),
    rid: row.rid as string | null,
  }))
}

export async function loggedEventsOf(raw: Raw, uuid: string): Promise<LoggedEvent[]> {
  return (await rowsOf(raw, 'pings', uuid)).map(row => ({
    n: Number(row.n),
    at: Number(row.created_at),
    action: row.kind as LoggedEvent['action'],
    rid: row.rid as string | null,
    exitStatus: row.exit_status as number | null,
    durationMs: row.duration === null ? null : Number(row.duration),
    // `failed` is the reason of a failure unless another is recorded.
    cause: (row.cause ?? (row.kind === 'fail' ? 'failed' : null)) as LoggedEvent['cause'],
  }))
}
