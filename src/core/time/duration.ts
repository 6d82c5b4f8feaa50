/** Lengths of time in words. Source: docs/behaviour.md, section 8.3. */
import { plural } from '../text/plural.js'

const UNITS = [
  { name: 'day', seconds: 86_400 },
  { name: 'hour', seconds: 3_600 },
  { name: 'minute', seconds: 60 },
  { name: 'second', seconds: 1 },
] as const

const WEEK = { name: 'week', seconds: 604_800 } as const

/**
 * A length of `ms` in its two largest units: `1 day, 6 hours`, `12 minutes, 24 seconds`, `12 seconds`. A second unit
 * of zero is omitted; the rest is cut off.
 */
export function approximateWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const first = UNITS.findIndex(unit => seconds >= unit.seconds)
  if (first === -1) return plural(0, 'second')
  const large = UNITS[first]!
  const small = UNITS[first + 1]
  const rest = small ? Math.floor((seconds % large.seconds) / small.seconds) : 0
  const words = plural(Math.floor(seconds / large.seconds), large.name)
  return small && rest > 0 ? `${words}, ${plural(rest, small.name)}` : words
}

/** An exact length, such as a period: `1 day`, `1 hour 30 minutes`. Weeks only if there is no remainder. */
export function periodWords(seconds: number): string {
  if (seconds > 0 && seconds % WEEK.seconds === 0) return plural(seconds / WEEK.seconds, WEEK.name)
  const words: string[] = []
  let rest = seconds
  for (const unit of UNITS) {
    const count = Math.floor(rest / unit.seconds)
    rest -= count * unit.seconds
    if (count > 0) words.push(plural(count, unit.name))
  }
  return words.join(' ') || plural(0, 'second')
}

/** The time since `at`: `10 minutes ago`, `1 day, 3 hours ago`; `just now` under a second. */
export function relativeWords(at: number, now: number): string {
  const ms = now - at
  if (ms < 1000) return 'just now'
  // Seconds matter only while there are no minutes.
  const rounded = ms >= 60_000 ? Math.floor(ms / 60_000) * 60_000 : ms
  return `${approximateWords(rounded)} ago`
}

/** A short form of a length: `310 ms`, `42 s`, `12 min 5 s`, `1 h 20 min`, `2 d 4 h`. */
export function runLength(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  const symbols = { day: 'd', hour: 'h', minute: 'min', second: 's' }
  return approximateWords(ms)
    .split(', ')
    .map(part => {
      const [count, unit] = part.split(' ') as [string, string]
      return `${count} ${symbols[unit.replace(/s$/, '') as keyof typeof symbols]}`
    })
    .join(' ')
}
