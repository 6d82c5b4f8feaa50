/** What a command works with, opened for it and closed behind it. */
import type { Config } from '../config.js'
import type { Clock } from '../lib/clock.js'
import type { Store } from '../storage/store.js'

export interface Workplace {
  config: Config
  store: Store
  clock: Clock
}

/**
 * Runs `work` on the database of this installation, beside a running server or without one. A database that
 * does not exist is a `Refusal`: only `serve` and `migrate` make one.
 */
export async function withStore<T>(work: (workplace: Workplace) => Promise<T>): Promise<T> {
  const [{ readConfig }, { openStore }, { systemClock }] = await Promise.all([
    import('./read-config.js'),
    import('../compose/store.js'),
    import('../lib/clock.js'),
  ])
  const config = await readConfig()
  const store = await openStore(config, { create: false })
  try {
    return await work({ config, store, clock: systemClock })
  } finally {
    await store.close()
  }
}
