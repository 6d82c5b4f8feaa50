import type { Settings } from '../../../core/checks/check-fields.js'
import type { Cause } from '../../../core/checks/health/cause.js'
import { hasOwnDeadlines, startTimeMs } from '../../../core/checks/health/rules.js'
import { isTolerated } from '../../../core/checks/health/tally.js'
import { runLimitMs } from '../../../core/checks/status.js'
import { runLength } from '../../../core/time/duration.js'

interface Mark {
  /** In ms. */
  at: number
  label: string
  /** Of a deadline: the time that it allows (ms), and what happens when it passes. */
  deadline: { ms: number; effect: 'alert' | 'counted' } | null
}

/**
 * A line from a ping to the deadlines of the next run: when it is due, when it must have started, and how long it may
 * take.
 */
export function DeadlineLine({ now, dueAt, timing }: { now: number; dueAt: number; timing: Settings }) {
  const marks = [{ at: now, label: 'ping', deadline: null }, ...marksFrom(dueAt, timing)]
  const places = placesOf(marks)
  const due = places[1]!
  return (
    <svg class="deadlines" viewBox={`0 0 ${WIDTH} 46`} role="img" aria-label={wordsOf(marks)}>
      <path class="on-time" d={`M4 10H${due}`} />
      <path class="late" d={`M${due} 10H${places.at(-1)!}`} />
      <circle class="on-time" cx="4" cy="10" r="3.5" />
      <path class="late" d={`M${due} 4v12`} />
      {marks.map(({ label, deadline }, index) => {
        const x = places[index]!
        const anchor = index === 0 ? 'start' : index === marks.length - 1 ? 'end' : 'middle'
        const edge = anchor === 'start' ? 0 : anchor === 'end' ? WIDTH : x
        return (
          <>
            {deadline ? <path class={deadline.effect} d={`M${x - 5} 5h10v10h-10z`} /> : null}
            <text x={edge} y="30" text-anchor={anchor}>
              {label}
            </text>
            {deadline ? (
              <text class={deadline.effect} x={edge} y="44" text-anchor={anchor}>
                {deadlineWords(deadline)}
              </text>
            ) : null}
          </>
        )
      })}
    </svg>
  )
}

function marksFrom(dueAt: number, timing: Settings): Mark[] {
  const mark = (label: string, ms: number, cause: Cause): Mark => {
    return {
      at: dueAt + ms,
      label,
      deadline: { ms, effect: isTolerated(cause, timing) ? 'counted' : 'alert' },
    }
  }
  const due: Mark = { at: dueAt, label: 'due', deadline: null }
  const start = startTimeMs(timing)
  if (!hasOwnDeadlines(timing)) return [due, mark('late', start, 'missed')]
  const deadlines = [mark('start by', start, 'missed'), mark('limit', runLimitMs(timing), 'overrun')]
  return [due, ...deadlines.sort((a, b) => a.at - b.at)]
}

const WIDTH = 400
/** The minimum distance between marks, so that their labels fit. */
const GAP = 110

/** The positions of marks: in proportion to their instants, but never too close. */
function placesOf(marks: readonly Mark[]): number[] {
  const [first, last] = [marks[0]!.at, marks.at(-1)!.at]
  const places = marks.map(({ at }) => 4 + ((at - first) / Math.max(1, last - first)) * (WIDTH - 12))
  for (let index = 1; index < places.length; index++) {
    places[index] = Math.max(places[index]!, places[index - 1]! + GAP)
  }
  let most = WIDTH - 8
  for (let index = places.length - 1; index > 0; index--) {
    places[index] = Math.round(Math.min(places[index]!, most))
    most = places[index]! - GAP
  }
  return places
}

function deadlineWords({ ms, effect }: NonNullable<Mark['deadline']>): string {
  return `${runLength(ms)}, ${effect}`
}

/** `due, then start by: 5 min, counted, then limit: 4 h, alert` */
function wordsOf(marks: readonly Mark[]): string {
  return marks
    .map(({ label, deadline }) => (deadline ? `${label}: ${deadlineWords(deadline)}` : label))
    .join(', then ')
}
