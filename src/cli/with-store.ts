/** The objects that a command works with. */
import type { Config } from '../config.js'
import type { Actor } from '../lib/actor.js'
import type { Clock } from '../lib/clock.js'
import type { Store } from '../storage/store.js'

export interface CommandContext {
  config: Config
  store: Store
  clock: Clock
}

/** Who acts by a command. */
const OPERATOR: Actor = { kind: 'command', id: null, name: '', address: null }

/**
 * Opens the database of this installation for `work` and closes it afterwards. A server may be running. Throws a
 * `Refusal` if the database does not exist: only `serve` and `migrate` create it.
 */
export async function withStore<T>(work: (workplace: CommandContext) => Promise<T>): Promise<T> {
  const [{ readConfig }, { openStore }, { systemClock }, { actingStore }] = await Promise.all([
    import('./read-config.js'),
    import('../compose/store.js'),
    import('../lib/clock.js'),
    import('../storage/events/acting.js'),
  ])
  const config = await readConfig()
  const store = await openStore(config, { create: false })
  try {
    return await work({ config, store: actingStore(store, OPERATOR), clock: systemClock })
  } finally {
    await store.close()
  }
}
