import { LANE_WIDTH, spanBars } from '../../../../core/checks/lanes/drawn-lane.js'
import type { LaneColumn } from '../../../../core/checks/lanes/lane-summary.js'
import type { Outage } from '../../../../core/instance/outage.js'
import { plural } from '../../../../core/text/plural.js'
import { endsInWords } from '../../../../core/time/instant.js'
import type { Span } from '../../../../core/time/spans.js'
import { OutageBoxes, UnknownBoxes, UnknownPattern } from './lane-bars.js'

const HEIGHT = 60
/** The number of parts that a click enlarges. */
const PARTS = 12

interface Props {
  columns: readonly LaneColumn[]
  range: Span
  outages: readonly Outage[]
  /** The times of which nothing can be known. */
  unknown: readonly Span[]
  now: number
  tz: string
  /** The address of the timeline of a part of the range. */
  addressOf: (part: Span) => string
}

/** The number of runs over time; what went wrong stands on top. Each of twelve parts is a link that enlarges it. */
export function LaneHistogram({ columns, range, outages, unknown, now, tz, addressOf }: Props) {
  const most = Math.max(1, ...columns.map(({ success, failed, missed }) => success + failed + missed))
  const width = LANE_WIDTH / columns.length
  const paths = { success: '', failed: '', missed: '' }
  for (const [index, column] of columns.entries()) {
    let base = HEIGHT
    for (const kind of ['success', 'failed', 'missed'] as const) {
      if (column[kind] === 0) continue
      // What went wrong is never too small to be seen.
      const height = Math.max(kind === 'success' ? 1 : 4, Math.round((column[kind] / most) * (HEIGHT - 8)))
      paths[kind] += `M${index * width + 1} ${base}v-${height}h${width - 2}v${height}z`
      base -= height
    }
  }
  return (
    <nav aria-label="Enlarge a part">
      <svg
        class="lane-histogram"
        viewBox={`0 0 ${LANE_WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        data-brush
        data-from={String(range.from)}
        data-to={String(range.to)}
      >
        <title>Runs over time</title>
        <UnknownPattern />
        <UnknownBoxes unknown={spanBars(unknown, range)} height={HEIGHT} />
        <OutageBoxes outages={outages} range={range} height={HEIGHT} />
        {Object.entries(paths).map(([kind, d]) => (d === '' ? null : <path class={`lane-${kind}`} d={d} />))}
        {partsOf(range).map((part, index) => {
          const words = partWords(part, sumOf(columns, index), now, tz)
          return (
            <a href={addressOf(part)} aria-label={words}>
              <title>{words}</title>
              <rect
                class="lane-part"
                x={(index * LANE_WIDTH) / PARTS}
                y="0"
                width={LANE_WIDTH / PARTS}
                height={HEIGHT}
              />
            </a>
          )
        })}
      </svg>
    </nav>
  )
}

function partsOf({ from, to }: Span): Span[] {
  const length = (to - from) / PARTS
  return Array.from({ length: PARTS }, (_, index) => ({
    from: Math.floor(from + index * length),
    to: Math.floor(from + (index + 1) * length),
  }))
}

function sumOf(columns: readonly LaneColumn[], part: number): LaneColumn {
  const each = columns.length / PARTS
  const sum = { success: 0, failed: 0, missed: 0 }
  for (const { success, failed, missed } of columns.slice(part * each, (part + 1) * each)) {
    sum.success += success
    sum.failed += failed
    sum.missed += missed
  }
  return sum
}

/** `Enlarge 02:00 to 03:00: 14 runs succeeded, 2 failed, 1 was missed` */
function partWords(part: Span, { success, failed, missed }: LaneColumn, now: number, tz: string): string {
  const counts = [
    `${plural(success, 'run')} succeeded`,
    failed > 0 && `${failed} failed`,
    missed > 0 && `${missed} missed`,
  ]
  return `Enlarge ${endsInWords(part, now, tz).join(' to ')}: ${counts.filter(Boolean).join(', ')}`
}
