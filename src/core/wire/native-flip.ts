/** A change of status in Punctual's own API. */
import type { Flip } from '../checks/flip.js'
import { isoSeconds } from './timestamp.js'

export function nativeFlipShape({ createdAt, oldStatus, newStatus, reason, since }: Flip) {
  return {
    at: isoSeconds(createdAt),
    before: oldStatus,
    status: newStatus,
    reason: reason === '' ? null : reason,
    since: since == null ? null : isoSeconds(since),
  }
}
