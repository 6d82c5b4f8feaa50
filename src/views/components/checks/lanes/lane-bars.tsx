import type { Lane, LaneOutcome, LaneRun } from '../../../../core/checks/lanes/lane.js'
import type { Outage } from '../../../../core/instance/outage.js'
import type { Span } from '../../../../core/time/spans.js'

/** The width of a lane in units; the browser stretches it to the page. */
export const LANE_WIDTH = 1_200
const HEIGHT = 20
/** The least width of a run, so that it can be seen. */
const LEAST = 4

interface Props {
  lane: Lane
  range: Span
  /** A run that is still going on ends here. */
  now: number
  outages: readonly Outage[]
}

/**
 * The runs of a check as bars from start to end. A success is a solid bar, a failure a taller one, a missed run a hollow square at the time
 * at which it was due, and a run that took too long an outline. Below them the time in which the check was down, above them the alerts.
 */
export function LaneBars({ lane, range, now, outages }: Props) {
  const x = scaleOf(range)
  const paths = new Map<LaneOutcome, string>()
  for (const [outcome, bars] of barsOf(lane.runs, x, now)) {
    paths.set(outcome, bars.map(({ left, right }) => DRAW[outcome](left, right)).join(''))
  }
  const down = lane.down.map(({ from, to }) => box(x(from), Math.max(x(from) + LEAST, x(to)), 17, 3)).join('')
  const sent = lane.incidents.flatMap(({ sentAt }) => sentAt)
  return (
    <svg
      class="lane-bars"
      viewBox={`0 0 ${LANE_WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <UnknownBoxes unknown={lane.unknown} range={range} height={HEIGHT} />
      <OutageBoxes outages={outages} range={range} height={HEIGHT} />
      {down === '' ? null : <path class="lane-down" d={down} />}
      {[...paths].map(([outcome, d]) => (
        <path class={`lane-${outcome}`} d={d} />
      ))}
      {sent.length === 0 ? null : (
        <path class="lane-alert" d={sent.map(at => `M${x(at) - 4} 0h8l-4 4z`).join('')} />
      )}
    </svg>
  )
}

/** The times in which Punctual could not receive pings, as bands. */
export function OutageBoxes({
  outages,
  range,
  height,
}: Pick<Props, 'outages' | 'range'> & { height: number }) {
  if (outages.length === 0) return null
  const x = scaleOf(range)
  const d = outages.map(one =>
    box(x(one.startedAt), Math.max(x(one.startedAt) + LEAST, x(one.endedAt)), 0, height),
  )
  return <path class="lane-outage" d={d.join('')} />
}

/** The name of the pattern of {@link UnknownBoxes}. */
const HATCH = 'lane-hatch'

/** The pattern for times of which nothing can be known. One stands on each page, in the histogram. */
export function UnknownPattern() {
  return (
    <pattern id={HATCH} width="12" height="10" patternUnits="userSpaceOnUse">
      <path class="lane-hatch" d="M0 10L12 0" />
    </pattern>
  )
}

/** The times of which nothing can be known, hatched. */
export function UnknownBoxes({
  unknown,
  range,
  height,
}: {
  unknown: readonly Span[]
  range: Span
  height: number
}) {
  if (unknown.length === 0) return null
  const x = scaleOf(range)
  const d = unknown.map(({ from, to }) => box(x(from), x(to), 0, height)).join('')
  return <path class="lane-unknown" fill={`url(#${HATCH})`} d={d} />
}

/** Where an instant lies in a lane, at most at its ends. */
export function scaleOf({ from, to }: Span): (at: number) => number {
  return at => Math.round(Math.min(1, Math.max(0, (at - from) / (to - from))) * LANE_WIDTH)
}

interface Bar {
  left: number
  right: number
}

/** The bars of each outcome. Successes that touch are one. */
function barsOf(runs: readonly LaneRun[], x: (at: number) => number, now: number): Map<LaneOutcome, Bar[]> {
  const bars = new Map<LaneOutcome, Bar[]>()
  for (const { outcome, from, to } of runs) {
    const end = outcome === 'running' ? now : to
    const left = Math.min(x(from), LANE_WIDTH - LEAST)
    const bar = { left, right: Math.max(left + LEAST, x(end)) }
    const known = bars.get(outcome) ?? []
    const last = known.at(-1)
    if (last && outcome === 'success' && bar.left <= last.right) last.right = Math.max(last.right, bar.right)
    else known.push(bar)
    bars.set(outcome, known)
  }
  return bars
}

const DRAW: Record<LaneOutcome, (left: number, right: number) => string> = {
  success: (left, right) => box(left, right, 8, 6),
  failed: (left, right) => box(left, right, 4, 12),
  missed: left => `M${left} 6h9v9h-9z`,
  overrun: (left, right) => `M${left} 5h${Math.max(6, right - left)}v10h-${Math.max(6, right - left)}z`,
  running: (left, right) => box(left, right, 10, 2),
  unfinished: (left, right) => box(left, right, 8, 6),
}

function box(left: number, right: number, top: number, height: number): string {
  return `M${left} ${top}h${right - left}v${height}h-${right - left}z`
}
