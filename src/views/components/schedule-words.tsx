import type { Timing } from '../../core/check.js'
import { periodWords } from '../../core/duration.js'
import { describe, parseSchedule } from '../../core/schedule/index.js'

/** When a check is expected, in words: `every 1 day`, `At 03:15 every day`. */
export function scheduleWords(timing: Pick<Timing, 'kind' | 'periodSeconds' | 'schedule'>): string {
  if (timing.kind === 'simple') return `every ${periodWords(timing.periodSeconds).replace(/^1 /, '')}`
  return describe(parseSchedule(timing.schedule))
}

/** The schedule as it is written and what it means. */
export function ScheduleWords({ timing }: { timing: Timing }) {
  if (timing.kind === 'simple') return <>{scheduleWords(timing)}</>
  return (
    <span title={`${scheduleWords(timing)} (${timing.tz})`}>
      <code>{timing.schedule}</code>
    </span>
  )
}
