import { clientAddress } from '../lib/http/client-address.js'
import type { AppConfig, Bindings } from './deps.js'

/** The client's address, used for limits, the list of sessions and the security log. */
export function addressOf(
  { TRUSTED_PROXIES }: Pick<AppConfig, 'TRUSTED_PROXIES'>,
  incoming: Bindings['incoming'],
  forwarded: string | undefined,
): string {
  return clientAddress(incoming.socket.remoteAddress ?? '', forwarded, TRUSTED_PROXIES)
}
