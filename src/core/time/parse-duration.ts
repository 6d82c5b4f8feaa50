const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

const PART = /(\d+(?:\.\d+)?)\s*([a-z]*)/gy

const UNIT = /^(?:(s|secs?|seconds?)|(m|mins?|minutes?)|(h|hrs?|hours?)|(d|days?)|(w|weeks?))$/

/**
 * Parses a typed length of time into whole seconds: `90 min`, `1 h 30 min`, `1 day, 12 hours`, `2w`; a number alone
 * means minutes. Null for anything else.
 */
export function parseDuration(text: string): number | null {
  const words = text.toLowerCase().replaceAll(',', ' ').trim()
  if (words === '') return null
  let seconds = 0
  let at = 0
  while (at < words.length) {
    PART.lastIndex = at
    const found = PART.exec(words)
    if (!found) return null
    const [whole, number, unit] = found as unknown as [string, string, string]
    const letter = unit === '' && at === 0 && whole.length === words.length ? 'm' : unit
    if (!UNIT.test(letter)) return null
    seconds += Number(number) * SECONDS[letter[0]!]!
    at += whole.length
    while (words[at] === ' ') at += 1
  }
  return Math.round(seconds)
}
