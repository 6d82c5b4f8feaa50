/** What a timeline shows of its lanes. It is summed up where they are read, because most of them are not drawn. */
import type { Span } from '../../time/spans.js'
import { type DrawnLane, drawnLane } from './drawn-lane.js'
import { type Lane, type LaneCheck, type LaneRun, shownAt, wentWrong } from './lane.js'
import {
  columnsOf,
  firstCreated,
  inLaneOrder,
  type LaneColumn,
  type LaneSummary,
  summaryOf,
} from './lane-summary.js'
import { type WentDown, wentDownTogether } from './went-down.js'

/** The number of columns of the histogram; that of its parts divides it. */
const COLUMNS = 120
/** The maximum number of lanes that are drawn. */
const MOST_LANES = 500
/** If there are more than this, those without trouble are folded: all but the first few. */
const UNFOLDED = 60
const HEALTHY_SHOWN = 20
/** The maximum number of events that are listed. */
const MOST_EVENTS = 500

/** How the lanes are shown. */
export interface LaneView {
  /** Whether all checks without trouble have a lane, even if there are many. */
  all: boolean
  /** As text in the order of time instead of lanes. */
  asList: boolean
  /** The UUID of the check whose runs are listed; empty: none. */
  check: string
}

/** A run that went wrong. */
export interface LaneEvent {
  check: LaneCheck
  run: LaneRun
}

export interface LanePage {
  /** The lanes that are drawn, in their order; none in a list of events. */
  lanes: DrawnLane[]
  /** The number of lanes without trouble that are folded, and of those that are never drawn. */
  folded: number
  hidden: number
  /** The number of checks that had no runs, and of those that were created later. */
  quiet: number
  later: number
  chosen: Lane | null
  columns: LaneColumn[]
  summary: LaneSummary
  /** The checks that went down together. */
  wentDown: WentDown[]
  /** When the first of the checks was created (ms); null without checks. */
  first: number | null
  /** What went wrong, in the order of time; only for a list of events. */
  events: LaneEvent[]
  hasMoreEvents: boolean
  /** Whether of a part of the range nothing can be known of some checks, and whether some are busy. */
  hasUnknown: boolean
  hasBusy: boolean
}

/** The page of `lanes` over `range` (ms), as known at `now`. */
export function lanePage(
  lanes: readonly Lane[],
  range: Span,
  { all, asList, check }: LaneView,
  now: number,
): LanePage {
  const active = inLaneOrder(lanes.filter(isActive))
  const most = Math.min(active.length, MOST_LANES)
  const drawn = all ? most : Math.min(most, unfolded(active))
  const later = lanes.filter(lane => lane.check.createdAt >= range.to).length
  const events = asList ? eventsOf(lanes) : []
  return {
    lanes: asList ? [] : active.slice(0, drawn).map(lane => drawnLane(lane, range, now)),
    folded: most - drawn,
    hidden: active.length - most,
    quiet: lanes.length - active.length - later,
    later,
    chosen: lanes.find(lane => lane.check.uuid === check) ?? null,
    columns: columnsOf(lanes, range, COLUMNS),
    summary: summaryOf(lanes, range),
    wentDown: wentDownTogether(lanes, range),
    first: firstCreated(lanes),
    events: events.slice(0, MOST_EVENTS),
    hasMoreEvents: events.length > MOST_EVENTS,
    hasUnknown: lanes.some(({ unknown }) => unknown.length > 0),
    hasBusy: lanes.some(({ isBusy }) => isBusy),
  }
}

/** Whether anything of a check can be seen in its lane. */
function isActive({ runs, down, count }: Lane): boolean {
  return runs.length > 0 || down.length > 0 || count > 0
}

/** How many of these lanes, in their order, are drawn until all are asked for. */
function unfolded(lanes: readonly Lane[]): number {
  if (lanes.length <= UNFOLDED) return lanes.length
  return lanes.filter(({ troubleAt }) => troubleAt !== null).length + HEALTHY_SHOWN
}

function eventsOf(lanes: readonly Lane[]): LaneEvent[] {
  return lanes
    .flatMap(({ check, runs }) => runs.filter(wentWrong).map(run => ({ check, run })))
    .sort((a, b) => shownAt(a.run) - shownAt(b.run))
}
