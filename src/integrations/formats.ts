/**
 * Formats of values that services require. A value that can never work is refused when it is entered, rather than when
 * the first alert fails. In doubt, a value is accepted.
 */
import type { Format } from './field.js'

/** A value that matches `pattern`. */
export function matches(pattern: RegExp, hint: string): Format {
  return { matches: value => pattern.test(value), hint }
}

/** A URL for which `fits` returns true. Only for fields of the type `url`. */
export function addressThat(fits: (url: URL) => boolean, hint: string): Format {
  return { matches: value => fits(new URL(value)), hint }
}

/**
 * A webhook URL. On one of the service's own `hosts`, host, path and query must match `takes`; other hosts may be relays
 * and are accepted.
 */
export function hookAt(hosts: RegExp, takes: RegExp, hint: string): Format {
  return addressThat(
    ({ hostname, host, pathname, search }) => !hosts.test(hostname) || takes.test(host + pathname + search),
    hint,
  )
}

/** A URL on none of `hosts`, which serve the service's web pages and accept no messages. */
export function hookNotAt(hosts: RegExp, hint: string): Format {
  return addressThat(({ hostname }) => !hosts.test(hostname), hint)
}

/** The base address of a server. It may not contain `?` or `#`, because paths are appended to it. */
export const serverAddress = addressThat(
  ({ search, hash }) => search === '' && hash === '',
  'Enter the address of the server alone, without anything after ? or #.',
)

/** A secret without blanks, for use in a header. */
export const secretWord = matches(/^[\x21-\x7e]+$/, 'Enter the token alone, without blanks.')
