import { zoneNamed } from '../../schedule/zones/zone.js'
import { arrivalOf } from './arrivals.js'
import type { FoundRun } from './finding.js'
import { percentile } from './statistics.js'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The number of runs from which the time of day is taken. */
const MOST = 10

/**
 * The cron expression for runs every `gapSeconds` at their usual time by the clock of `tz`; null if
 * no expression has that gap.
 */
export function fittingCron(runs: readonly FoundRun[], tz: string, gapSeconds: number): string | null {
  const zone = zoneNamed(tz)
  const readings = runs.slice(-MOST).map(run => {
    const at = arrivalOf(run)
    return Math.floor((at + zone.at(at).offset) / 1000)
  })
  // Most runs come after their time, so the earliest counts, without outliers.
  const phase = (of: number) =>
    percentile(
      readings.map(reading => reading % of),
      0.2,
    )
  if (gapSeconds < HOUR) {
    const step = gapSeconds / MINUTE
    return Number.isInteger(step) && 60 % step === 0 ? `${step === 1 ? '*' : `*/${step}`} * * * *` : null
  }
  const minute = Math.floor((phase(HOUR) % HOUR) / MINUTE)
  if (gapSeconds < DAY) {
    const step = gapSeconds / HOUR
    if (!Number.isInteger(step) || 24 % step !== 0) return null
    const first = Math.floor(phase(step * HOUR) / HOUR)
    if (step === 1) return `${minute} * * * *`
    return `${minute} ${first === 0 ? '*' : `${first}-23`}/${step} * * *`
  }
  const hour = Math.floor(phase(DAY) / HOUR)
  if (gapSeconds === DAY) return `${minute} ${hour} * * *`
  // 1 January 1970 was a Thursday.
  const weekday = (Math.floor(readings.at(-1)! / DAY) + 4) % 7
  return gapSeconds === 7 * DAY ? `${minute} ${hour} * * ${weekday}` : null
}
