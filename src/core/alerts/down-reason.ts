/** Why a check went down, where nothing more is known than the kind of failure. */

import type { Flip } from '../checks/flip.js'
import { runLength } from '../time/duration.js'

const REASONS: Record<Flip['reason'], string> = {
  missed: 'no success ping in time',
  overrun: 'the run did not finish in time',
  failed: 'the job reported a failure',
  too_short: 'the run ended too soon',
  '': '',
}

/** Why the status changed, in words; empty for a recovery. */
export function reasonText(flip: Pick<Flip, 'reason'>): string {
  return REASONS[flip.reason]
}

/** `took 10 s, less than the expected 30 s` */
export function tooShortWords(tookMs: number, limitMs: number): string {
  return `took ${runLength(tookMs)}, less than the expected ${runLength(limitMs)}`
}
