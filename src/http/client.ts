import { clientAddress, clientNetwork } from '../lib/http/client-address.js'
import type { AppConfig, Bindings } from './deps.js'

/** The client's address, used for limits, the list of sessions and the security log. */
export function addressOf(
  { TRUSTED_PROXIES }: Pick<AppConfig, 'TRUSTED_PROXIES'>,
  incoming: Bindings['incoming'],
): string {
  const forwarded = incoming.headers['x-forwarded-for']?.toString()
  return clientAddress(incoming.socket.remoteAddress ?? '', forwarded, TRUSTED_PROXIES)
}

/** The network of the client, see {@link clientNetwork}. */
export function networkOf(
  config: Pick<AppConfig, 'TRUSTED_PROXIES'>,
  incoming: Bindings['incoming'],
): string {
  return clientNetwork(addressOf(config, incoming))
}
