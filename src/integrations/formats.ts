/**
 * What the values of fields look like where the services are known for it, so that what can never work is refused
 * when it is entered and not found out at night. Where a service might take it, a value is let through.
 */
import type { Format } from './field.js'

/** A value that matches `pattern`. */
export function matching(pattern: RegExp, hint: string): Format {
  return { matches: value => pattern.test(value), hint }
}

/** A URL of which `fits` is true. For fields of the type `url`, whose values are URLs. */
export function addressThat(fits: (url: URL) => boolean, hint: string): Format {
  return { matches: value => fits(new URL(value)), hint }
}

/**
 * A URL that, where it leads to one of the service's own `hosts`, leads to where that takes messages: `takes` matches
 * host, path and query. Other hosts may be relays.
 */
export function hookAt(hosts: RegExp, takes: RegExp, hint: string): Format {
  return addressThat(
    ({ hostname, host, pathname, search }) => !hosts.test(hostname) || takes.test(host + pathname + search),
    hint,
  )
}

/** A URL that does not lead to one of `hosts`, where the service has pages for people and takes no messages. */
export function hookNotAt(hosts: RegExp, hint: string): Format {
  return addressThat(({ hostname }) => !hosts.test(hostname), hint)
}

/** Where a server is, to which paths are added: what follows `?` or `#` would swallow them. */
export const serverAddress = addressThat(
  ({ search, hash }) => search === '' && hash === '',
  'Enter the address of the server alone, without anything after ? or #.',
)

/** A secret in one word, as it goes into headers. */
export const secretWord = matching(/^[\x21-\x7e]+$/, 'Enter the token alone, without blanks.')
