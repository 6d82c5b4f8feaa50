/** Why a check went down, as its alert says it. */

import type { Flip } from '../checks/flip.js'
import { runLength } from '../time/duration.js'
import type { Alert } from './alert.js'

const REASONS: Record<Flip['reason'], string> = {
  missed: 'success signal did not arrive on time, grace time passed',
  overrun: 'the run started but did not finish within its time limit',
  failed: 'received a failure signal',
  too_short: 'the run ended sooner than it may',
  '': '',
}

/** Why the status changed, in words; empty for a recovery. */
export function reasonText(flip: Pick<Flip, 'reason'>): string {
  return REASONS[flip.reason]
}

/** The reason of a down alert in words, with the limit and the duration where they are known; empty for a recovery. */
export function downReason({ flip, limit, now }: Pick<Alert, 'flip' | 'limit' | 'now'>): string {
  if (!limit) return reasonText(flip)
  const words = runLength(limit.limitMs)
  if (flip.reason === 'overrun' && limit.startedAt !== null) {
    return `the run took longer than its limit of ${words}: it started ${runLength(now - limit.startedAt)} ago`
  }
  if (flip.reason === 'too_short' && limit.tookMs !== null) {
    return `the run ${tooShortWords(limit.tookMs, limit.limitMs)}`
  }
  if (flip.reason === 'missed') return `no run started within ${words} after it was due`
  return reasonText(flip)
}

/** `took 10 s, less than the expected 30 s` */
export function tooShortWords(tookMs: number, limitMs: number): string {
  return `took ${runLength(tookMs)}, less than the expected ${runLength(limitMs)}`
}
