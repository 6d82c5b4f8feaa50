import type { Actor } from '../lib/actor.js'
import type { Authenticated } from '../storage/projects/api-keys.js'
import { addressOf } from './client.js'
import type { AppConfig, Bindings } from './deps.js'

/** Who acts by a request with an API key. */
export function keyActor(
  { hint }: Pick<Authenticated, 'hint'>,
  config: Pick<AppConfig, 'TRUSTED_PROXIES'>,
  incoming: Bindings['incoming'],
): Actor {
  const address = addressOf(config, incoming)
  return { kind: 'key', id: hint, name: '', address }
}
