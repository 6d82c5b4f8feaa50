/** Expands names by the system's search domains. */
import { readFileSync } from 'node:fs'

export interface SearchRules {
  domains: readonly string[]
  /** Names with fewer dots are tried in the domains first. */
  ndots: number
}

/** The maximum number of search domains; each costs one more query. */
const MAX_DOMAINS = 6
const RESOLV_CONF = '/etc/resolv.conf'
const CACHE_MS = 5_000
let cached = { readAt: Number.NEGATIVE_INFINITY, rules: readRules('') }

/**
 * The names to query for `name`, in order. A name with a dot is queried unchanged first, regardless of `ndots`, because
 * most such names are complete. Source: resolv.conf(5).
 */
export function searchNames(name: string, { domains, ndots }: SearchRules = systemRules()): string[] {
  const within = domains.map(domain => `${name}.${domain}`)
  return name.includes('.') || ndots === 0 ? [name, ...within] : [...within, name]
}

/** The rules in the text of a resolv.conf. The last line with a keyword wins. */
export function readRules(text: string): SearchRules {
  let domains: string[] = []
  let ndots = 1
  for (const line of text.split('\n')) {
    const [keyword, ...values] = line.trim().split(/\s+/)
    if (keyword === 'search' || keyword === 'domain') {
      domains = values.map(domain => domain.toLowerCase().replace(/\.$/, '')).filter(Boolean)
    }
    if (keyword !== 'options') continue
    for (const value of values) if (/^ndots:\d+$/.test(value)) ndots = Number(value.slice(6))
  }
  return { domains: domains.slice(0, MAX_DOMAINS), ndots }
}

function systemRules(): SearchRules {
  const now = performance.now()
  if (now - cached.readAt <= CACHE_MS) return cached.rules
  let text = ''
  try {
    text = readFileSync(RESOLV_CONF, 'utf8')
  } catch {
    // Without the file, names are queried unchanged.
  }
  cached = { readAt: now, rules: readRules(text) }
  return cached.rules
}
