/** What the lanes of a range come to: the numbers of its sentence, the columns of its histogram, and the order of lanes. */
import { compareNames } from '../../text/compare-names.js'
import type { Span } from '../../time/spans.js'
import { type Lane, type LaneRun, wentWrong } from './lane.js'

export interface LaneSummary {
  /** The number of checks that pinged, and of their runs. */
  ran: number
  runs: number
  failed: number
  missed: number
  overran: number
  /** The number of checks that went down, and of those that were down at the end. */
  wentDown: number
  stillDown: number
}

/** The numbers of a range. */
export function summaryOf(lanes: readonly Lane[], range: Span): LaneSummary {
  const summary = { ran: 0, runs: 0, failed: 0, missed: 0, overran: 0, wentDown: 0, stillDown: 0 }
  for (const { runs, isBusy, count, incidents } of lanes) {
    const own = runs.filter(({ outcome }) => outcome !== 'missed')
    if (own.length > 0 || count > 0) summary.ran++
    summary.runs += isBusy ? count : own.length
    for (const { outcome } of runs) {
      if (outcome === 'failed') summary.failed++
      else if (outcome === 'missed') summary.missed++
      else if (outcome === 'overrun') summary.overran++
    }
    if (incidents.some(({ openedAt }) => openedAt >= range.from && openedAt < range.to)) summary.wentDown++
    if (incidents.some(({ closedAt }) => closedAt === null || closedAt >= range.to)) summary.stillDown++
  }
  return summary
}

/** When the first of these checks was created (ms); null without checks. */
export function firstCreated(lanes: readonly Lane[]): number | null {
  return lanes.length === 0
    ? null
    : lanes.reduce((first, { check }) => Math.min(first, check.createdAt), Number.POSITIVE_INFINITY)
}

/** The number of runs by their ends in one part of the range. */
export interface LaneColumn {
  success: number
  failed: number
  missed: number
}

/** The range in `count` columns of the same length. Busy checks have only their failures in them. */
export function columnsOf(lanes: readonly Lane[], range: Span, count: number): LaneColumn[] {
  const columns = Array.from({ length: count }, () => ({ success: 0, failed: 0, missed: 0 }))
  for (const { runs } of lanes) {
    for (const run of runs) {
      const column = columns[Math.floor(((placeOf(run) - range.from) / (range.to - range.from)) * count)]
      const kind = kindOf(run)
      if (column && kind) column[kind]++
    }
  }
  return columns
}

/** Where a run is counted: at its end, or at its start while it is running. */
function placeOf({ from, to, outcome }: LaneRun): number {
  return outcome === 'running' ? from : to
}

function kindOf(run: LaneRun): keyof LaneColumn | null {
  if (run.outcome === 'missed') return 'missed'
  if (wentWrong(run)) return 'failed'
  return run.outcome === 'success' ? 'success' : null
}

/** Those with trouble first, by when it began; then the others by name. */
export function inLaneOrder(lanes: readonly Lane[]): Lane[] {
  const last = Number.POSITIVE_INFINITY
  return lanes.toSorted((a, b) => {
    const [one, other] = [a.troubleAt ?? last, b.troubleAt ?? last]
    return one === other ? compareNames(a.check.name, b.check.name) : one - other
  })
}
