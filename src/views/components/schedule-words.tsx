import type { Timing } from '../../core/check.js'
import { periodWords } from '../../core/duration.js'
import { describe, parseSchedule } from '../../core/schedule/index.js'

/** When a check is expected, in words: `every 1 day`, `At 03:15 every day`. */
export function scheduleWords(timing: Pick<Timing, 'kind' | 'periodSeconds' | 'schedule'>): string {
  if (timing.kind === 'simple') return `every ${periodWords(timing.periodSeconds).replace(/^1 /, '')}`
  return describe(parseSchedule(timing.schedule))
}

/** What a schedule means, and how it is written. */
export function ScheduleWords({ timing }: { timing: Timing }) {
  const words = scheduleWords(timing)
  if (timing.kind === 'simple') return <span class="clip">{words}</span>
  return (
    <span title={`${words} (${timing.schedule}, ${timing.tz})`}>
      <span class="clip">{words.replace(/^At (?=\d)/, '')}</span>
      <code class="second clip">{timing.schedule}</code>
    </span>
  )
}
