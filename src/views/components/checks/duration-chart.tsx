import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { raw } from 'hono/html'
import type { Run } from '../../../core/checks/history/run-strip.js'
import { runLength } from '../../../core/time/duration.js'
import { clockWithSeconds, exactWords } from '../../../core/time/instant.js'
import { type TimeTick, timeTicks } from '../../../core/time/time-ticks.js'
import { type PageContext, zoneOf } from '../../page-context.js'
import { OUTCOME_WORDS } from './run-strip.js'

const WIDTH = 720
const HEIGHT = 158
const LEFT = 74
const RIGHT = 4
const TOP = 18
const BOTTOM = 22
/** Half of the longest label of a time. */
const LABEL_ROOM = 36

interface Props {
  page: Pick<PageContext, 'user'>
  runs: readonly Run[]
  /** The maximum duration of a run, in ms. It is drawn only if the chart reaches that far. */
  limitMs: number
}

interface Timed extends Run {
  durationMs: number
}

/** The durations of the runs over time. The axis starts at zero, and every dot has its value as a title. */
export function DurationChart({ page, runs, limitMs }: Props) {
  const timed = runs.filter((run): run is Timed => run.durationMs !== null)
  if (timed.length === 0) return null
  const longest = Math.max(...timed.map(run => run.durationMs), 1)
  // A limit far above every run would flatten the chart.
  const shown = limitMs <= longest * 4 ? Math.max(longest, limitMs) : longest
  const ticks = durationTicks(shown)
  const y = scaleLinear([0, Math.max(shown, ticks.at(-1)!)], [HEIGHT - BOTTOM, TOP])
  const [first, last] = [timed[0]!.at, timed.at(-1)!.at]
  const x = scaleLinear([first, last > first ? last : first + 1], [LEFT + 6, WIDTH - RIGHT - 6])
  const path = line<Timed>(
    run => round(x(run.at)),
    run => round(y(run.durationMs)),
  )(timed)
  const zone = zoneOf(page)
  const dot = (run: Timed) => dotOf(run, round(x(run.at)), round(y(run.durationMs)), zone)
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby="chart-title">
      <title id="chart-title">{`How long the last ${timed.length} timed runs took`}</title>
      {ticks.map(ms => (
        <g class="tick">
          <path d={`M${LEFT} ${round(y(ms))}H${WIDTH - RIGHT}`} />
          <text x={LEFT - 8} y={round(y(ms)) + 4} text-anchor="end">
            {ms === 0 ? '0' : runLength(ms)}
          </text>
        </g>
      ))}
      {limitMs <= shown ? (
        <g class="limit">
          <path d={`M${LEFT} ${round(y(limitMs))}H${WIDTH - RIGHT}`} />
          <text x={WIDTH - RIGHT} y={round(y(limitMs)) - 4} text-anchor="end">
            limit {runLength(limitMs)}
          </text>
        </g>
      ) : null}
      <path class="trace" d={path ?? ''} />
      <g class="run-success">{raw(timed.filter(hasSucceeded).map(dot).join(''))}</g>
      <g class="run-fail">
        {raw(
          timed
            .filter(run => !hasSucceeded(run))
            .map(dot)
            .join(''),
        )}
      </g>
      <g class="tick">
        {timeMarks(first, last, zone).map(({ at, label }) => (
          <>
            <path d={`M${round(x(at))} ${HEIGHT - BOTTOM}v4`} />
            <text
              x={round(x(at))}
              y={HEIGHT - 4}
              text-anchor={x(at) > WIDTH - RIGHT - LABEL_ROOM ? 'end' : 'middle'}
            >
              {label}
            </text>
          </>
        ))}
      </g>
    </svg>
  )
}

const hasSucceeded = (run: Run) => run.outcome === 'success'

/**
 * A success is a disc, a failure a square, which is drawn above it: a retry must not hide a failure. They are text
 * already, because hundreds of elements take long to make. No word in it comes from users.
 */
function dotOf(run: Timed, x: number, y: number, zone: string): string {
  const title = `<title>${exactWords(run.at, zone)}: ${OUTCOME_WORDS[run.outcome]} after ${runLength(run.durationMs)}</title>`
  if (hasSucceeded(run)) return `<circle cx="${x}" cy="${y}" r="2.75">${title}</circle>`
  return `<rect x="${round(x - 3.5)}" y="${round(y - 3.5)}" width="7" height="7">${title}</rect>`
}

const MOST_TIMES = 6

/** The times on the axis; where none is round, those of the first run and the last. */
function timeMarks(first: number, last: number, zone: string): TimeTick[] {
  const ticks = timeTicks(first, last, zone, MOST_TIMES)
  if (ticks.length > 1) return ticks
  return (first === last ? [first] : [first, last]).map(at => ({ at, label: clockWithSeconds(at, zone) }))
}

const STEPS_MS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map(ms => ms),
  ...[1, 2, 5, 10, 15, 30].map(seconds => seconds * 1_000),
  ...[1, 2, 5, 10, 15, 30].map(minutes => minutes * 60_000),
  ...[1, 2, 3, 6, 12, 24, 48].map(hours => hours * 3_600_000),
]

/** Zero and round durations up to `longest` or just above: three to five in total. */
function durationTicks(longest: number): number[] {
  const step = STEPS_MS.find(one => longest / one <= 4) ?? 48 * 3_600_000
  return Array.from({ length: Math.ceil(longest / step) + 1 }, (_, index) => index * step)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
