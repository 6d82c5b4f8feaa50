/** The names that a name may stand for, by the search domains of the system. */
import { readFileSync } from 'node:fs'

export interface SearchRules {
  domains: readonly string[]
  /** Names with fewer dots are looked for in the domains first. */
  ndots: number
}

/** So many are asked; each is one more query. */
const MOST_DOMAINS = 6
const RESOLV_CONF = '/etc/resolv.conf'
const KEPT_MS = 5_000
let kept = { readAt: Number.NEGATIVE_INFINITY, rules: readRules('') }

/**
 * What name servers are asked for `name`, one after the other. A name with a dot is asked for as it is first, whatever
 * `ndots` says: most are complete. Source: resolv.conf(5).
 */
export function searchNames(name: string, { domains, ndots }: SearchRules = systemRules()): string[] {
  const within = domains.map(domain => `${name}.${domain}`)
  return name.includes('.') || ndots === 0 ? [name, ...within] : [...within, name]
}

/** The rules in the text of a resolv.conf. The last line of a kind counts. */
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
  return { domains: domains.slice(0, MOST_DOMAINS), ndots }
}

function systemRules(): SearchRules {
  const now = performance.now()
  if (now - kept.readAt <= KEPT_MS) return kept.rules
  let text = ''
  try {
    text = readFileSync(RESOLV_CONF, 'utf8')
  } catch {
    // There is none: names are asked for as they are.
  }
  kept = { readAt: now, rules: readRules(text) }
  return kept.rules
}
