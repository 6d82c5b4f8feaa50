const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

const PART = /(\d+(?:\.\d+)?)\s*([a-z]*)/gy

const UNIT = /^(?:(s|secs?|seconds?)|(m|mins?|minutes?)|(h|hrs?|hours?)|(d|days?)|(w|weeks?))$/

/**
 * Parses a typed length of time into whole seconds: `90 min`, `1 h 30 min`, `1 day, 12 hours`, `2w`. Null for
 * anything else, also for a number without a unit; zero needs none.
 */
export function parseDuration(text: string): number | null {
  const words = text.toLowerCase().replaceAll(',', ' ').trim()
  if (words === '') return null
  if (words === '0') return 0
  let seconds = 0
  let at = 0
  while (at < words.length) {
    PART.lastIndex = at
    const found = PART.exec(words)
    if (!found) return null
    const [whole, number, unit] = found as unknown as [string, string, string]
    if (!UNIT.test(unit)) return null
    seconds += Number(number) * SECONDS[unit[0]!]!
    at += whole.length
    while (words[at] === ' ') at += 1
  }
  return Math.round(seconds)
}
