import {
  type Bars,
  type DrawnLane,
  LANE_WIDTH,
  LEAST_WIDTH,
  scaleOf,
} from '../../../../core/checks/lanes/drawn-lane.js'
import type { LaneOutcome } from '../../../../core/checks/lanes/lane.js'
import type { Outage } from '../../../../core/instance/outage.js'
import type { Span } from '../../../../core/time/spans.js'

const HEIGHT = 20

interface Props {
  lane: DrawnLane
  range: Span
  outages: readonly Outage[]
}

/**
 * The runs of a check as bars from start to end. A success is a solid bar, a failure a taller one, a missed run a hollow square at the time
 * at which it was due, and a run that took too long an outline. Below them the time in which the check was down, above them the alerts.
 */
export function LaneBars({ lane: { runs, down, unknown, sent }, range, outages }: Props) {
  return (
    <svg
      class="lane-bars"
      viewBox={`0 0 ${LANE_WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <UnknownBoxes unknown={unknown} height={HEIGHT} />
      <OutageBoxes outages={outages} range={range} height={HEIGHT} />
      {down.length === 0 ? null : <path class="lane-down" d={boxes(down, 17, 3)} />}
      {runs.map(([outcome, bars]) => (
        <path class={`lane-${outcome}`} d={pathOf(bars, DRAW[outcome])} />
      ))}
      {sent.length === 0 ? null : (
        <path class="lane-alert" d={sent.map(at => `M${at - 4} 0h8l-4 4z`).join('')} />
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
  const bands = outages.flatMap(({ startedAt, endedAt }) => {
    const left = x(startedAt)
    return [left, Math.max(left + LEAST_WIDTH, x(endedAt))]
  })
  return <path class="lane-outage" d={boxes(bands, 0, height)} />
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
export function UnknownBoxes({ unknown, height }: { unknown: Bars; height: number }) {
  if (unknown.length === 0) return null
  return <path class="lane-unknown" fill={`url(#${HATCH})`} d={boxes(unknown, 0, height)} />
}

type Draw = (left: number, right: number) => string

const DRAW: Record<LaneOutcome, Draw> = {
  success: (left, right) => box(left, right, 8, 6),
  failed: (left, right) => box(left, right, 4, 12),
  missed: left => `M${left} 6h9v9h-9z`,
  overrun: (left, right) => `M${left} 5h${Math.max(6, right - left)}v10h-${Math.max(6, right - left)}z`,
  running: (left, right) => box(left, right, 10, 2),
  unfinished: (left, right) => box(left, right, 8, 6),
}

function pathOf(bars: Bars, draw: Draw): string {
  let path = ''
  for (let at = 0; at < bars.length; at += 2) path += draw(bars[at]!, bars[at + 1]!)
  return path
}

function boxes(bars: Bars, top: number, height: number): string {
  return pathOf(bars, (left, right) => box(left, right, top, height))
}

function box(left: number, right: number, top: number, height: number): string {
  return `M${left} ${top}h${right - left}v${height}h-${right - left}z`
}
