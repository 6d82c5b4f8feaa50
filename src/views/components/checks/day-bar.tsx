import { raw } from 'hono/html'
import type { StoredStatus } from '../../../core/checks/check.js'
import type { DayBar } from '../../../core/checks/history/uptime.js'
import { dateWords, isoDate } from '../../../core/time/date-words.js'
import { runLength } from '../../../core/time/duration.js'

const STEP = 8
const WIDTH = 6
const HEIGHT = 34

/** The heights of bars: the shape says the status too. A day with a downtime has the full height. */
const HEIGHTS = { up: 26, new: 8, paused: 14, down: HEIGHT }

/** The least height of the part for the downtime of a day, and the gap under it. */
const LEAST_DOWN = 5
const GAP = 2

interface Props {
  days: readonly DayBar[]
  /** The address of the check's log. */
  log: string
}

/**
 * The last days as bars, each a link to its events. The part of a day in which the check was down is drawn to scale. With
 * the keyboard only the days with a problem are visited.
 */
export function DayBars({ days, log }: Props) {
  const address = String(<>{log}?day=</>)
  return (
    <figure class="days">
      <svg
        class="day-bars"
        viewBox={`0 0 ${days.length * STEP - (STEP - WIDTH)} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        <title>{`The last ${days.length} days`}</title>
        {raw(days.map((day, index) => dayText(day, index * STEP, address)).join(''))}
      </svg>
      <figcaption>
        <span>{dateWords(days[0]!.day)}</span>
        <span>today</span>
      </figcaption>
    </figure>
  )
}

/** A day as text already, because so many elements take long to make. No word in it comes from users. `address`: of the log of a day, as HTML. */
function dayText(day: DayBar, x: number, address: string): string {
  if (day.worst === null) return path('none', bar(x, 4))
  const words = dayWords(day)
  const isSkipped = day.downtimes === 0 && day.worst !== 'paused'
  const start = `<a href="${address}${isoDate(day.day)}" aria-label="${words}"${isSkipped ? ' tabindex="-1"' : ''}>`
  return `${start}<title>${words}</title>${path('whole', bar(x, HEIGHT))}${barsOf(day, day.worst, x)}</a>`
}

function barsOf(day: DayBar, worst: StoredStatus, x: number): string {
  if (worst !== 'down') return path(worst, bar(x, HEIGHTS[worst]))
  const down = downHeight(day)
  const rest = day.rest === null || down + GAP >= HEIGHT ? '' : path(day.rest, bar(x, HEIGHT - down - GAP))
  return path('down', bar(x, down, 0)) + rest
}

function path(kind: StoredStatus | 'none' | 'whole', shape: string): string {
  return `<path class="day-${kind}" d="${shape}"></path>`
}

/** To scale between the least height and the whole. */
function downHeight({ downtimeMs, from, to }: DayBar): number {
  const height = Math.max(LEAST_DOWN, (downtimeMs / (to - from)) * HEIGHT)
  return Math.round(Math.min(height, HEIGHT) * 10) / 10
}

/** A bar that stands on the ground unless `top` says where it begins. */
function bar(x: number, height: number, top = HEIGHT - height): string {
  return `M${x} ${top}h${WIDTH}v${height}h-${WIDTH}z`
}

const WORST_WORDS = { down: 'down', paused: 'paused', up: 'up', new: 'not pinged yet' }

/** `3 Jan 2026: down 2 times, 1 h 20 min`. */
export function dayWords(day: Pick<DayBar, 'day' | 'worst' | 'downtimes' | 'downtimeMs'>): string {
  const date = dateWords(day.day)
  if (day.worst === null) return `${date}: no data`
  if (day.downtimes === 0) return `${date}: ${WORST_WORDS[day.worst]}`
  const times = day.downtimes === 1 ? 'once' : `${day.downtimes} times`
  return `${date}: down ${times}, ${runLength(day.downtimeMs)}`
}
