/** Maps pings and flips of Healthchecks to ours. */
import type { StoredStatus } from '../checks/check.js'
import type { Flip, FlipReason } from '../checks/flip.js'
import type { Action } from '../pings/ping-event.js'
import { milliseconds } from './map-people.js'
import type { SourceRow } from './source-schema.js'

const ACTIONS: Readonly<Record<string, Action>> = {
  '': 'success',
  success: 'success',
  start: 'start',
  fail: 'fail',
  log: 'log',
  ign: 'ign',
}

export interface ImportedPing {
  n: number
  at: number
  /** The microseconds within the millisecond. */
  us: number
  action: Action
  scheme: string
  remoteAddr: string | null
  method: string
  ua: string
  rid: string | null
  exitStatus: number | null
  body: Uint8Array | null
  objectSize: number | null
}

/** A row of the log, or null for one without a number or of an unknown kind, which old versions left behind. */
export function mapPing(row: SourceRow<'api_ping'>): ImportedPing | null {
  const action = ACTIONS[row.kind ?? '']
  if (row.n === null || row.created === null || !action) return null
  return {
    n: row.n,
    at: Math.floor(row.created / 1000),
    us: row.created % 1000,
    action,
    scheme: row.scheme ?? 'http',
    remoteAddr: row.remote_addr?.trim() || null,
    method: row.method ?? '',
    ua: row.ua ?? '',
    rid: row.rid,
    exitStatus: row.exitstatus,
    body: row.body_raw && row.body_raw.length > 0 ? row.body_raw : null,
    objectSize: row.object_size,
  }
}

const STATUSES: readonly string[] = ['new', 'up', 'down', 'paused'] satisfies StoredStatus[]
const REASONS: Readonly<Record<string, FlipReason>> = { fail: 'failed', timeout: 'missed' }

/** A flip, or null if it is between statuses that are not known. */
export function mapFlip(row: SourceRow<'api_flip'>): Flip | null {
  const { old_status, new_status } = row
  if (!STATUSES.includes(old_status ?? '') || !STATUSES.includes(new_status ?? '')) return null
  const isDown = new_status === 'down'
  return {
    createdAt: milliseconds(row.created) ?? 0,
    oldStatus: old_status as StoredStatus,
    newStatus: new_status as StoredStatus,
    reason: isDown ? (REASONS[row.reason ?? ''] ?? 'missed') : '',
  }
}
