/** The headers of every response, as name, value, name, value. */
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
 * The value of `Strict-Transport-Security`, which tells browsers to use only https; null if the site does not send it.
 * Source: RFC 6797.
 */
export function hstsOf(config: { SITE_ROOT: string; HSTS_INCLUDE_SUBDOMAINS: boolean }): string | null {
  if (!config.SITE_ROOT.startsWith('https:')) return null
  return `max-age=31536000${config.HSTS_INCLUDE_SUBDOMAINS ? '; includeSubDomains' : ''}`
}

let second = 0
let text = ''

/** The current time as an HTTP date, for `Expires`. Formatted once a second, because every ping needs it. */
export function expiresNow(): string {
  const now = Math.floor(Date.now() / 1000)
  if (now !== second) {
    second = now
    text = new Date(now * 1000).toUTCString()
  }
  return text
}

/** Forbids caching. Source: Django's `never_cache`, which the reference uses. */
export const NO_CACHE = 'max-age=0, no-cache, no-store, must-revalidate, private'
