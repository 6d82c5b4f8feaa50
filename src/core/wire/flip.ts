/**
 * A status change on the wire: 1 for up, 0 for down. Changes to paused and new are not shown. Source:
 * docs/behaviour.md, section 4.1.
 */
import { isoSeconds } from './timestamp.js'

export interface FlipShape {
  timestamp: string
  up: 0 | 1
}

/** The statuses whose flips are listed. */
export const LISTED_STATUSES = ['up', 'down'] as const

/** The JSON text of a change, made at `createdAt` (ms), to up or down. */
export function flipJson(createdAt: number, newStatus: 'up' | 'down'): string {
  return `{"timestamp": "${isoSeconds(createdAt)}", "up": ${newStatus === 'up' ? 1 : 0}}`
}
