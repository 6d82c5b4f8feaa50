import type { IncomingMessage } from 'node:http'
import { clientAddress, clientNetwork } from '../lib/http/client-address.js'
import type { AppConfig, Bindings } from './deps.js'

/** The client's address, used for limits, the list of sessions and the security log. */
export function addressOf(
  { TRUSTED_PROXIES }: Pick<AppConfig, 'TRUSTED_PROXIES'>,
  incoming: Bindings['incoming'],
  forwarded: string | undefined,
): string {
  return clientAddress(incoming.socket.remoteAddress ?? '', forwarded, TRUSTED_PROXIES)
}

/** The network of the client, see {@link clientNetwork}. */
export function networkOf(config: Pick<AppConfig, 'TRUSTED_PROXIES'>, incoming: IncomingMessage): string {
  return clientNetwork(addressOf(config, incoming, incoming.headers['x-forwarded-for']?.toString()))
}
