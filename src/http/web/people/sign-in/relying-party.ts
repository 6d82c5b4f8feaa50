import { isIP } from 'node:net'
import type { RelyingParty } from '../../../../lib/secrets/passkeys.js'
import type { AppConfig } from '../../../deps.js'

/** The relying party of passkeys, as browsers check it. */
export function relyingParty(config: AppConfig): RelyingParty {
  const { hostname, origin } = new URL(config.SITE_ROOT)
  return { id: config.RP_ID || hostname, name: config.SITE_NAME, origin }
}

/**
 * Why browsers do not offer passkeys for this site, as a sentence. Null if they do: over https, or on this machine by
 * name.
 */
export function passkeyObstacle(config: AppConfig): string | null {
  const { protocol, hostname, origin } = new URL(config.SITE_ROOT)
  if (isIP(hostname.replace(/[[\]]/g, '')) !== 0) {
    return `Passkeys need a host name; this site runs at ${hostname}.`
  }
  if (protocol === 'https:' || hostname === 'localhost') return null
  return `Passkeys need https; this site runs at ${origin}.`
}
