/** Shortens secrets for display, so that users can tell them apart. */

/** Path segments that are common in services' addresses, or too short to be a secret. */
const PLAIN =
  /^(?:.{1,3}|v\d+|alerts?|api|chat|events?|generic|hooks?|incoming|integrations?|messages?|notify|rooms?|services|spaces|triggers?|webhooks?|workflows)$/

/** A parameter name that is not itself a secret. */
const NAME = /^[a-z_-]{1,16}$/i

/** The beginning of a secret: a quarter of it, at most four characters, and `…`. */
export function beginningOf(secret: string): string {
  return `${secret.slice(0, Math.min(4, Math.floor(secret.length / 4)))}…`
}

/**
 * A URL with only the beginning of each part that may be secret: `example.org/hooks/T0…/abcd…?key=…`. Includes the
 * scheme unless it is https. Empty for an invalid URL.
 */
export function maskUrl(text: string): string {
  if (!URL.canParse(text)) return ''
  const url = new URL(text)
  const path = url.pathname
    .split('/')
    .map(part => (part === '' || PLAIN.test(part) ? part : beginningOf(part)))
    .join('/')
  const keys = [...url.searchParams].map(([key, value]) =>
    NAME.test(key) && value !== '' ? `${key}=…` : '…',
  )
  const host = url.protocol === 'https:' ? url.host : url.origin
  return host + (path === '/' ? '' : path) + (keys.length > 0 ? `?${keys.join('&')}` : '')
}
