import type { Span } from '../../../../core/time/spans.js'
import { timeTicks } from '../../../../core/time/time-ticks.js'

/** The time axis above the lanes. Midnight shows the date. */
export function LaneAxis({ range: { from, to }, tz }: { range: Span; tz: string }) {
  const part = (at: number) => (at - from) / (to - from)
  const share = (at: number) => `${Math.round(part(at) * 10_000) / 100}%`
  const anchor = (at: number) => (part(at) < 0.04 ? 'start' : part(at) > 0.96 ? 'end' : 'middle')
  return (
    <svg class="lane-axis" aria-hidden="true">
      {timeTicks(from, to - 1, tz, 8).map(({ at, label }) => (
        <>
          <line x1={share(at)} x2={share(at)} y1="14" y2="20" />
          <text x={share(at)} y="11" text-anchor={anchor(at)}>
            {label}
          </text>
        </>
      ))}
    </svg>
  )
}
