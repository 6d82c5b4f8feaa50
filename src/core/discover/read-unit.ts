/**
 * The settings of a systemd unit by `Section.Name`, in order. An empty value forgets those before it, as systemd does;
 * an unknown line is ignored. Source: systemd.syntax(7).
 */
export function readUnit(text: string): Map<string, string[]> {
  const settings = new Map<string, string[]>()
  let section = ''
  for (const line of text.replace(/\\\r?\n[ \t]*/g, ' ').split(/\r?\n/)) {
    const trimmed = line.trim()
    if (/^[#;]/.test(trimmed)) continue
    const heading = /^\[(.+)\]$/.exec(trimmed)?.[1]
    if (heading !== undefined) section = heading
    const at = trimmed.indexOf('=')
    if (heading !== undefined || at < 1) continue
    const name = `${section}.${trimmed.slice(0, at).trim()}`
    const value = trimmed.slice(at + 1).trim()
    settings.set(name, value === '' ? [] : [...(settings.get(name) ?? []), value])
  }
  return settings
}

const UNITS: readonly [RegExp, number][] = [
  [/^(us|µs|usec)$/, 1e-6],
  [/^(ms|msec)$/, 1e-3],
  [/^(s|sec|seconds?)?$/, 1],
  [/^(m|min|minutes?)$/, 60],
  [/^(h|hr|hours?)$/, 3_600],
  [/^(d|days?)$/, 86_400],
  [/^(w|weeks?)$/, 604_800],
  [/^(M|months?)$/, 2_629_800],
  [/^(y|years?)$/, 31_557_600],
]

/** A length of time such as `1h 30min` or `90` in seconds; null if it is none. Source: systemd.time(7). */
export function readTimeSpan(text: string): number | null {
  if (!/^(\s*\d+(\.\d+)?\s*[a-zµ]*)+\s*$/i.test(text) || text.length > 100) return null
  let seconds = 0
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)\s*([a-zµ]*)/gi)) {
    const found = UNITS.find(([pattern]) => pattern.test(unit!))
    if (!found) return null
    seconds += Number(number) * found[1]
  }
  return seconds
}
