/** A check of a server in words for tables. */
import type { Api } from '../../client/index.js'
import { approximateWords, periodWords, relativeWords } from '../../core/time/duration.js'
import { refOf } from './find-server-check.js'

type AnyCheck = Api.Check | Api.ReadOnlyCheck

export function nameOf(check: AnyCheck): string {
  return check.name || check.slug || refOf(check)
}

/** When it is to run: `every 1 day`, or the expression with its zone. */
export function scheduleWords({ schedule, tz, period }: AnyCheck): string {
  if (schedule === null) return period === null ? '-' : `every ${periodWords(period)}`
  return `${schedule.replaceAll('\n', '; ')} (${tz})`
}

/** An instant in the API's form seen from `now` (ms): `10 minutes ago`, `in 2 hours`; `whenNull` for null. */
export function instantWords(at: string | null, now: number, whenNull: string): string {
  if (at === null) return whenNull
  const ms = Date.parse(at)
  return ms > now ? `in ${approximateWords(ms - now)}` : relativeWords(ms, now)
}
