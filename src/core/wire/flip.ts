/** A status change on the wire: 1 for up, 0 for down; changes into paused and new are not shown (decision D2). */
import type { Flip } from '../flip.js'
import { isoSeconds } from './timestamp.js'

export interface FlipShape {
  timestamp: string
  up: 0 | 1
}

/** The stored statuses whose flips are listed. */
export const LISTED_STATUSES = ['up', 'down'] as const

export function flipShape(flip: Pick<Flip, 'createdAt'> & { newStatus: 'up' | 'down' }): FlipShape {
  return { timestamp: isoSeconds(flip.createdAt), up: flip.newStatus === 'up' ? 1 : 0 }
}
