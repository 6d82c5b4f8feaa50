import type { Span } from '../../../../core/time/spans.js'
import { timeTicks } from '../../../../core/time/time-ticks.js'

/** The time axis above the lanes. Midnight shows the date. */
export function LaneAxis({ range: { from, to }, tz }: { range: Span; tz: string }) {
  const share = (at: number) => `${Math.round(((at - from) / (to - from)) * 10_000) / 100}%`
  return (
    <svg class="lane-axis" aria-hidden="true">
      {timeTicks(from, to - 1, tz, 8).map(({ at, label }) => (
        <>
          <line x1={share(at)} x2={share(at)} y1="14" y2="20" />
          <text x={share(at)} y="11" text-anchor={at === from ? 'start' : 'middle'}>
            {label}
          </text>
        </>
      ))}
    </svg>
  )
}
