import { isIP } from 'node:net'
import type { RelyingParty } from '../../lib/passkeys.js'
import type { AppConfig } from '../deps.js'

/** Who asks for passkeys, as browsers check it. */
export function relyingParty(config: AppConfig): RelyingParty {
  const { hostname, origin } = new URL(config.SITE_ROOT)
  return { id: config.RP_ID || hostname, name: config.SITE_NAME, origin }
}

/** Whether browsers offer passkeys here: over https or on this machine, and under a name. */
export function passkeysPossible(config: AppConfig): boolean {
  const { protocol, hostname } = new URL(config.SITE_ROOT)
  const named = isIP(hostname.replace(/[[\]]/g, '')) === 0
  return named && (protocol === 'https:' || hostname === 'localhost')
}
