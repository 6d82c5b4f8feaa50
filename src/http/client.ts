import { clientAddress } from '../lib/http/client-address.js'
import type { AppConfig, Bindings } from './deps.js'

/** The address that a request came from, as limits, session lists and the security log go by. */
export function addressOf(
  { TRUSTED_PROXIES }: Pick<AppConfig, 'TRUSTED_PROXIES'>,
  incoming: Bindings['incoming'],
  forwarded: string | undefined,
): string {
  return clientAddress(incoming.socket.remoteAddress ?? '', forwarded, TRUSTED_PROXIES)
}
