/** What may be shown of a secret, so that people can tell one from another. */

/** Parts of addresses that many services have, or that are too short for a secret. */
const PLAIN =
  /^(?:.{1,3}|v\d+|alerts?|api|chat|events?|generic|hooks?|incoming|integrations?|messages?|notify|rooms?|services|spaces|triggers?|webhooks?|workflows)$/

/** The name of a parameter, as long as it has a value. */
const NAME = /^[a-z_-]{1,16}$/i

/** The beginning of a secret: a quarter of it, four characters at most, then `…`. */
export function beginningOf(secret: string): string {
  return `${secret.slice(0, Math.min(4, Math.floor(secret.length / 4)))}…`
}

/**
 * Where a URL leads, with only the beginning of whatever may be secret in it: `example.org/hooks/T0…/abcd…?key=…`.
 * A scheme stands before it unless it is https. Empty for what is no URL.
 */
export function maskedUrl(text: string): string {
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
