import { runLength } from '../../core/time/duration.js'

/** A duration: `1 h 20 min`, `42 s`, `310 ms`; a dash if it is unknown. */
export function Duration({ ms }: { ms: number | null }) {
  if (ms === null) return <span class="muted">–</span>
  return (
    <time class="figure" datetime={`PT${ms / 1000}S`}>
      {runLength(ms)}
    </time>
  )
}
