/**
 * What is drawn of a lane: only that goes from the thread that reads the log to the one that makes the page, and of a long range much less
 * than its runs.
 */
import type { Span } from '../../time/spans.js'
import type { Lane, LaneCheck, LaneOutcome, LaneRun } from './lane.js'
import { laneWords } from './lane-words.js'

/** The width of a lane in units; the browser stretches it to the page. */
export const LANE_WIDTH = 1_200
/** The least width of a bar, so that it can be seen. */
export const LEAST_WIDTH = 4

/** The left and the right end (in units) of one bar after the other. */
export type Bars = number[]

export interface DrawnLane {
  check: Pick<LaneCheck, 'uuid' | 'name' | 'project' | 'status'>
  /** Its runs in a few words. */
  words: string
  isTroubled: boolean
  /** Those of each outcome. */
  runs: [LaneOutcome, Bars][]
  down: Bars
  unknown: Bars
  /** Where alerts were sent. */
  sent: number[]
}

/** The lane over `range`. A run that is still going on ends at `now`. */
export function drawnLane(lane: Lane, range: Span, now: number): DrawnLane {
  const { uuid, name, project, status } = lane.check
  const x = scaleOf(range)
  return {
    check: { uuid, name, project, status },
    words: laneWords(lane),
    isTroubled: lane.troubleAt !== null,
    runs: [...runBars(lane.runs, x, now)],
    down: lane.down.flatMap(({ from, to }) => [x(from), Math.max(x(from) + LEAST_WIDTH, x(to))]),
    unknown: spanBars(lane.unknown, range),
    sent: lane.incidents.flatMap(({ sentAt }) => sentAt.map(x)),
  }
}

export function spanBars(spans: readonly Span[], range: Span): Bars {
  const x = scaleOf(range)
  return spans.flatMap(({ from, to }) => [x(from), x(to)])
}

/** Where an instant lies in a lane, at most at its ends. */
export function scaleOf({ from, to }: Span): (at: number) => number {
  return at => Math.round(Math.min(1, Math.max(0, (at - from) / (to - from))) * LANE_WIDTH)
}

/** The bars of each outcome. Successes that touch are one. */
function runBars(runs: readonly LaneRun[], x: (at: number) => number, now: number): Map<LaneOutcome, Bars> {
  const found = new Map<LaneOutcome, Bars>()
  for (const { outcome, from, to } of runs) {
    const left = Math.min(x(from), LANE_WIDTH - LEAST_WIDTH)
    const right = Math.max(left + LEAST_WIDTH, x(outcome === 'running' ? now : to))
    const bars = found.get(outcome) ?? []
    const last = bars.length - 1
    if (last > 0 && outcome === 'success' && left <= bars[last]!) bars[last] = Math.max(bars[last]!, right)
    else bars.push(left, right)
    found.set(outcome, bars)
  }
  return found
}
