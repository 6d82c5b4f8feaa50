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
