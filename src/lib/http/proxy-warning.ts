import type { Log } from '../log/log.js'

/**
 * Returns a function to call with the address of a peer that sends `X-Forwarded-For` and is not a trusted proxy. It
 * warns once: the peer may be a proxy missing from the settings, or a client that forged the header.
 */
export function createProxyWarning(log: Pick<Log, 'warn'>): (peer: string) => void {
  let warned = false
  return peer => {
    if (warned) return
    warned = true
    log.warn(
      'X-Forwarded-For comes from an address that TRUSTED_PROXIES does not name: if it is your proxy, name it, ' +
        'or everyone behind it counts as one address where sign-ins are limited',
      { peer },
    )
  }
}
