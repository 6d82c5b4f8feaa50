/** The distance of an instant from now, for pages. */
import { runLength } from './duration.js'

const MINUTE = 60_000
const DAY = 86_400_000

/** `12 min ago`, `in 3 h 12 min`, `6 d ago`; `just now` within five seconds. Seconds only under a minute. */
export function shortRelative(at: number, now: number): string {
  const ms = Math.abs(now - at)
  if (ms < 5_000) return 'just now'
  const words = roughLength(ms)
  return at > now ? `in ${words}` : `${words} ago`
}

/** A length of time that is growing, at least a second, in seconds only under a minute: `49 s`, `22 min`, `3 d`. */
export function roughLength(ms: number): string {
  return runLength(rounded(Math.max(1000, ms)))
}

function rounded(ms: number): number {
  const unit = ms >= 3 * DAY ? DAY : ms >= MINUTE ? MINUTE : 1000
  return Math.floor(ms / unit) * unit
}
