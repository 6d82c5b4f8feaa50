import type { Timing } from '../../../core/checks/check.js'
import { describe, parseSchedule } from '../../../core/schedule/index.js'
import { periodWords } from '../../../core/time/duration.js'
import { zoneDifference } from '../../../core/time/zone-difference.js'

/**
 * When a check is expected, in words: `Every day`, `Daily at 03:15, Europe/Riga`. The time zone of the schedule is
 * named if it differs from `zone`, the reader's.
 */
export function scheduleWords(timing: Timing, zone: string): string {
  if (timing.kind === 'simple') return `Every ${periodWords(timing.periodSeconds).replace(/^1 /, '')}`
  return withZone(describe(parseSchedule(timing.schedule)), otherZone(timing, zone))
}

function withZone(words: string, other: string | null): string {
  return other === null ? words : `${words}, ${other}`
}

/** The time zone of the schedule if it is not `zone`; null if it is, or if every line names its own. */
export function otherZone(timing: Pick<Timing, 'kind' | 'schedule' | 'tz'>, zone: string): string | null {
  if (timing.kind === 'simple' || timing.tz === zone) return null
  return parseSchedule(timing.schedule).rules.some(rule => rule.zone === null) ? timing.tz : null
}

interface Props {
  timing: Timing
  /** The reader's time zone. */
  zone: string
  /** The instant of the next occurrence, or now (ms). */
  at: number
}

/**
 * What a schedule means, with its time zone and its distance from the reader's clock if it is not the reader's, and the
 * expression as the title.
 */
export function ScheduleWords({ timing, zone, at }: Props) {
  if (timing.kind === 'simple') return <span class="clip">{scheduleWords(timing, zone)}</span>
  const other = otherZone(timing, zone)
  const described = describe(parseSchedule(timing.schedule))
  const clock = described.replace(/^At (?=\d)/, '')
  const difference = other === null ? null : zoneDifference(other, zone, at)
  return (
    <span
      title={`${withZone(described, other)}${difference === null ? '' : `, ${difference}`} (${timing.schedule})`}
    >
      <span class="clip">{clock}</span>
      <span class="second clip">
        {other === null ? null : <span class="zone">{other}</span>}
        {difference === null ? null : <span class="muted"> {difference}</span>} <code>{timing.schedule}</code>
      </span>
    </span>
  )
}
