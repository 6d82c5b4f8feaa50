/** The headers that every answer carries, as name, value, name, value. */
export const BASE_HEADERS: readonly string[] = [
  'X-Frame-Options',
  'DENY',
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'same-origin',
  'Cross-Origin-Opener-Policy',
  'same-origin',
]

/**
 * The value of `Strict-Transport-Security`, with which every answer tells browsers to stay with https; null for a site
 * that has none. Source: RFC 6797.
 */
export function hstsOf(config: { SITE_ROOT: string; HSTS_INCLUDE_SUBDOMAINS: boolean }): string | null {
  if (!config.SITE_ROOT.startsWith('https:')) return null
  return `max-age=31536000${config.HSTS_INCLUDE_SUBDOMAINS ? '; includeSubDomains' : ''}`
}

let second = 0
let text = ''

/** The present instant as an HTTP date, for `Expires`. Made once a second: it is asked for with every ping. */
export function expiresNow(): string {
  const now = Math.floor(Date.now() / 1000)
  if (now !== second) {
    second = now
    text = new Date(now * 1000).toUTCString()
  }
  return text
}

/** Forbids everyone to keep an answer. Source: Django's `never_cache`, which the reference uses. */
export const NO_CACHE = 'max-age=0, no-cache, no-store, must-revalidate, private'
