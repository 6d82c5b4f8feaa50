import { canonicalZone } from '../../schedule/index.js'
import { zoneNamed } from '../../schedule/zones/zone.js'
import { plural } from '../../text/plural.js'
import { periodWords } from '../../time/duration.js'
import { startTimeMs } from '../health/rules.js'
import { type Arrival, arrivals, distance, scheduleOf } from './arrivals.js'
import { COMMON_ZONES } from './common-zones.js'
import type { Finder } from './finding.js'
import { median, spread } from './statistics.js'

const MINUTE_MS = 60_000
const QUARTER_MS = 15 * MINUTE_MS

/** Differences up to this (ms) count as the same time. */
const NEAR_MS = 5 * MINUTE_MS

/** The maximum number of runs that are examined, and the minimum that is needed. */
const MOST = 20
const LEAST = 5

/** The maximum number of zones that are named. */
const NAMED = 3

/** Finds runs whose distance from the schedule equals the offset of another zone. */
export const timeZone: Finder = facts => {
  const { check, zones } = facts
  const schedule = scheduleOf(facts)
  if (!schedule || schedule.rules.every(rule => rule.zone)) return null
  const recent = arrivals(facts, schedule, MOST)
  if (recent.length < LEAST) return null
  const distances = recent.map(distance)
  const offMs = Math.round(median(distances) / QUARTER_MS) * QUARTER_MS
  if (offMs === 0 || Math.abs(median(distances) - offMs) > NEAR_MS || spread(distances) > NEAR_MS) return null
  const other = distances.findLastIndex(one => Math.abs(one - offMs) > NEAR_MS)
  const alike = recent.slice(other + 1)
  if (alike.length < LEAST) return null
  // A run without a known start that ends within the grace time may simply take that long.
  const inTime = offMs > 0 && median(distances) < startTimeMs(check)
  if (inTime && !alike.every(({ isStart }) => isStart)) return null
  const found = zonesThatFit(alike, check.tz, offMs, zones)
  if (found.length === 0) return null
  const when = `${periodWords(Math.abs(offMs) / 1000)} ${offMs > 0 ? 'after' : 'before'} the schedule`
  const names = found.slice(0, NAMED).join(', ')
  const more = found.length >= NAMED ? ' or another zone with that offset' : ''
  return {
    code: 'time_zone',
    evidence: `The last ${plural(alike.length, 'run')} came ${when}: is it set to ${check.tz} while the machine is on ${names}${more}?`,
    patch: { tz: found[0]! },
  }
}

/** The zones in which these runs would be on time, likely ones first. */
function zonesThatFit(
  alike: readonly Arrival[],
  tz: string,
  offMs: number,
  likely: readonly string[],
): string[] {
  const own = zoneNamed(tz)
  const fits = (name: string) =>
    alike.every(({ at }) => zoneNamed(name).at(at).offset === own.at(at - offMs).offset - offMs)
  const known = likely.flatMap(name => canonicalZone(name) ?? [])
  return [...new Set([...known, ...COMMON_ZONES])].filter(name => name !== tz && fits(name))
}
