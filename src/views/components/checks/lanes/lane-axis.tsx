import { ticksOf } from '../../../../core/checks/lanes/lane-range.js'
import { clockWords } from '../../../../core/time/instant.js'
import type { Span } from '../../../../core/time/spans.js'

/** The time axis above the lanes. Midnight shows the date. */
export function LaneAxis({ range, tz }: { range: Span; tz: string }) {
  const ticks = ticksOf(range, tz, 8)
  const share = (at: number) => `${Math.round(((at - range.from) / (range.to - range.from)) * 10_000) / 100}%`
  return (
    <svg class="lane-axis" aria-hidden="true">
      {ticks.map((at, index) => (
        <>
          <line x1={share(at)} x2={share(at)} y1="14" y2="20" />
          <text x={share(at)} y="11" text-anchor={index === 0 && at === range.from ? 'start' : 'middle'}>
            {tickWords(at, tz)}
          </text>
        </>
      ))}
    </svg>
  )
}

/** `02:00`, or `22 Nov` at midnight. */
function tickWords(at: number, tz: string): string {
  const time = clockWords(at, at, tz)
  return time === '00:00' ? clockWords(at, 0, tz).split(' ').slice(0, 2).join(' ') : time
}
