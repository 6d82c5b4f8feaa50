import type { Alert } from '../../core/alerts/alert.js'
import { reasonText, tooShortWords } from '../../core/alerts/down-reason.js'
import type { CauseDetail } from '../../core/incidents/cause-detail.js'
import { runLength } from '../../core/time/duration.js'
import { clockWords } from '../../core/time/instant.js'

/**
 * Why the check of a down alert went down, with all times and limits that are known, by the clock of `tz`: `no success ping by
 * 13:50 (expected 12:50, grace 1 h, Europe/Riga)`. Empty for a recovery, and for a test, which has no reason.
 */
export function downReason(alert: Alert, tz: string): string {
  const { flip, limit, detail, now, test } = alert
  if (test || alert.status === 'up') return ''
  if (isMissedWithTimes(alert)) return missedWords(detail!, { tz, now, isLimit: Boolean(limit) })
  const status = exitStatus(alert)
  if (status !== null) return `the job exited with status ${status}`
  if (limit && flip.reason === 'overrun' && limit.startedAt !== null) {
    const started = clockWords(limit.startedAt, now, tz)
    return `the run did not finish within its limit of ${runLength(limit.limitMs)} (started ${started}, ${tz})`
  }
  if (limit && flip.reason === 'too_short' && limit.tookMs !== null) {
    return `the run ${tooShortWords(limit.tookMs, limit.limitMs)}`
  }
  if (flip.reason === 'overrun' && detail?.limitSeconds !== undefined) {
    return `the run did not finish within its limit of ${runLength(detail.limitSeconds * 1000)}`
  }
  return reasonText(flip)
}

/** The exit status with which the job failed, if it is known and not 0. */
export function exitStatus({ flip, detail, lastPing, test }: Alert): number | null {
  if (test || flip.reason !== 'failed') return null
  return (detail?.exitStatus ?? (lastPing?.action === 'fail' ? lastPing.exitStatus : null)) || null
}

/** Whether the reason says when the ping was expected, and so when the check went down. */
export function isMissedWithTimes({ flip, detail, test }: Alert): boolean {
  return !test && flip.reason === 'missed' && detail?.expectedAt !== undefined
}

function missedWords(
  { expectedAt = 0, graceSeconds = 0, tz: checkZone = '' }: CauseDetail,
  { tz, now, isLimit }: { tz: string; now: number; isLimit: boolean },
): string {
  const what = isLimit ? 'no run started' : 'no success ping'
  const allowed = `${isLimit ? 'limit' : 'grace'} ${runLength(graceSeconds * 1000)}`
  const by = clockWords(expectedAt + graceSeconds * 1000, now, tz)
  const expected = clockWords(expectedAt, now, tz)
  const elsewhere =
    checkZone !== '' && checkZone !== tz ? `; ${clockWords(expectedAt, now, checkZone)} in ${checkZone}` : ''
  return `${what} by ${by} (expected ${expected}, ${allowed}, ${tz}${elsewhere})`
}
