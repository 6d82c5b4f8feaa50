import type { RunOutcome, Strip } from '../../../core/checks/history/run-strip.js'
import { runLength } from '../../../core/time/duration.js'

const SLOTS = 30
const STEP = 4
const HEIGHT = 22
const LOWEST = 4

/** The words for each outcome, for one run and for several. */
export const OUTCOME_WORDS: Record<RunOutcome, string> = {
  success: 'succeeded',
  fail: 'failed',
  missed: 'missed',
  overrun: 'ran too long',
  running: 'running',
}

/**
 * The last runs as bars: height is the duration, shape and colour are the outcome. A success is a solid bar, a failure
 * a bar cut in two, a missed run a cross on the base line, a run that took too long an outline.
 */
export function RunStrip({ strip }: { strip: Strip }) {
  const { outcomes, durationsMs } = strip
  const longest = Math.max(1, ...durationsMs.map(durationMs => durationMs ?? 0))
  const paths = new Map<RunOutcome, string>()
  for (const [index, outcome] of outcomes.entries()) {
    const x = index * STEP + 1.5
    const durationMs = durationsMs[index]!
    const height = durationMs === null ? HEIGHT / 2 : LOWEST + (durationMs / longest) * (HEIGHT - LOWEST)
    paths.set(outcome, (paths.get(outcome) ?? '') + DRAW[outcome](x, round(HEIGHT - height)))
  }
  const words = stripWords(strip)
  return (
    <svg class="strip" viewBox={`0 0 ${SLOTS * STEP} ${HEIGHT}`} role="img" aria-label={words}>
      <title>{words}</title>
      {[...paths].map(([outcome, d]) => (
        <path class={`run-${outcome}`} d={d} />
      ))}
    </svg>
  )
}

/** The paths of strokes; `top` is where the bar ends. */
const DRAW: Record<RunOutcome, (x: number, top: number) => string> = {
  success: (x, top) => `M${x} ${HEIGHT}V${top}`,
  fail: (x, top) => {
    const cut = round(Math.min(HEIGHT - 3, top + (HEIGHT - top) * 0.5))
    return `M${x} ${HEIGHT}V${cut + 1}M${x} ${cut - 1.5}V${Math.min(top, cut - 5)}`
  },
  missed: x => `M${x - 1.5} ${HEIGHT - 5}l3 4m0-4l-3 4`,
  overrun: x => `M${x - 1} ${HEIGHT}V0.5h2V${HEIGHT}`,
  running: x => `M${x} ${HEIGHT}v-4m0-3v-4m0-3v-4`,
}

/** The strip in words: `Last 30 runs: 28 succeeded, 2 failed; the last took 42 s`. */
function stripWords({ outcomes, durationsMs }: Strip): string {
  if (outcomes.length === 0) return 'No runs yet'
  const counts = new Map<RunOutcome, number>()
  for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  const parts = [...counts].map(([outcome, count]) => `${count} ${OUTCOME_WORDS[outcome]}`)
  const lastMs = durationsMs.findLast(durationMs => durationMs !== null) ?? null
  const tail = lastMs === null ? '' : `; the last took ${runLength(lastMs)}`
  return `${outcomes.length === 1 ? 'Last run' : `Last ${outcomes.length} runs`}: ${parts.join(', ')}${tail}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
