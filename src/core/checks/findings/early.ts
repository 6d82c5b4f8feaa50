import { plural } from '../../text/plural.js'
import { approximateWords } from '../../time/duration.js'
import { startTimeMs } from '../health/rules.js'
import { arrivals, distance, scheduleOf } from './arrivals.js'
import type { Finder } from './finding.js'

const MINUTE_MS = 60_000
/** A run that comes earlier than this is not early, but at another time. */
const EARLY_MS = 10 * MINUTE_MS
const MOST = 10
const LEAST = 3

/** Finds runs that come shortly before the schedule, so that their occurrence is expected again. */
export const early: Finder = facts => {
  const { check } = facts
  const schedule = scheduleOf(facts)
  if (!schedule) return null
  const recent = arrivals(facts, schedule, MOST)
  const earlyBy = recent
    // A run within the grace of the occurrence before is late for that one, not early.
    .filter(({ at, before }) => at - before > startTimeMs(check))
    .map(arrival => -distance(arrival))
    .filter(ms => ms > check.earlySeconds * 1000 && ms < EARLY_MS)
  if (earlyBy.length < LEAST) return null
  const most = Math.max(...earlyBy)
  return {
    code: 'early',
    evidence: `${earlyBy.length} of the last ${plural(recent.length, 'run')} came before the schedule, by up to ${approximateWords(Math.max(most, 1000))}.`,
    patch: { earlySeconds: Math.ceil(most / MINUTE_MS) * 60 },
  }
}
