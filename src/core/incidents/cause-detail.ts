/** What is known about the failure that opened an incident. It is kept with the incident, because its check may change. */
import { reasonText } from '../alerts/down-reason.js'
import type { CheckKind, Limits } from '../checks/check.js'
import type { Flip, FlipReason } from '../checks/flip.js'
import { sentence } from '../text/sentence.js'
import { runLength } from '../time/duration.js'

/** Everything that is not known is left out. */
export interface CauseDetail {
  /** Of the failure signal. */
  exitStatus?: number
  /** Of a missed ping: when it was expected (ms), how long (s) it had to come, and the zone of a schedule. */
  expectedAt?: number
  graceSeconds?: number
  tz?: string
  /** Of a run that took too long or ended too soon: the limit (s). */
  limitSeconds?: number
}

/** The settings of a check that limit its runs. */
export interface CauseRules extends Limits {
  kind: CheckKind
  tz: string
  startWithinSeconds: number | null
  minDurationSeconds: number | null
}

/** The details of a flip to down; `exitStatus`: of its ping, null if it has none. */
export function causeDetail(
  flip: Pick<Flip, 'createdAt' | 'reason'>,
  rules: CauseRules,
  exitStatus: number | null,
): CauseDetail {
  const { kind, tz, graceSeconds, startWithinSeconds, maxDurationSeconds, minDurationSeconds } = rules
  switch (flip.reason) {
    case 'failed':
      return exitStatus === null ? {} : { exitStatus }
    case 'missed': {
      const grace = startWithinSeconds ?? graceSeconds
      const expectedAt = flip.createdAt - grace * 1000
      return { expectedAt, graceSeconds: grace, ...(kind !== 'simple' && { tz }) }
    }
    case 'overrun':
      return { limitSeconds: maxDurationSeconds ?? graceSeconds }
    case 'too_short':
      return minDurationSeconds === null ? {} : { limitSeconds: minDurationSeconds }
    default:
      return {}
  }
}

/**
 * The cause as a sentence: `Exit status 2.` `clock` writes an instant as the reader's clock shows it, or that of a zone;
 * `zone`: the reader's.
 */
export function causeSentence(
  cause: string,
  detail: CauseDetail,
  clock: (ms: number, zone?: string) => string,
  zone: string,
): string {
  const { exitStatus, expectedAt, graceSeconds, tz, limitSeconds } = detail
  if (cause === 'failed' && exitStatus !== undefined && exitStatus > 0) return `Exit status ${exitStatus}.`
  if (cause === 'missed' && expectedAt !== undefined && graceSeconds !== undefined) {
    const words = [
      `expected ${clock(expectedAt)}`,
      tz !== undefined && tz !== zone && `${clock(expectedAt, tz)} ${tz}`,
      `grace ${runLength(graceSeconds * 1000)}`,
    ].filter(Boolean)
    return `No success ping by ${clock(expectedAt + graceSeconds * 1000)} (${words.join(', ')}).`
  }
  if (limitSeconds !== undefined && cause === 'overrun')
    return `The run did not finish within its limit of ${runLength(limitSeconds * 1000)}.`
  if (limitSeconds !== undefined && cause === 'too_short')
    return `The run took less than the expected ${runLength(limitSeconds * 1000)}.`
  return sentence(reasonText({ reason: cause as FlipReason })) || 'It went down.'
}
