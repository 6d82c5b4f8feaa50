import type { ArrivedPing } from '../../src/core/pings/arrived-ping.js'
import type { Store } from '../../src/storage/store.js'
import { arrivedPing } from './arrived-ping.js'

/** Records a ping of a check as it comes over HTTP at `now`. */
export async function pingCheck(
  world: { store: Store; clock: { now(): number } },
  uuid: string,
  action: ArrivedPing['action'] = 'success',
  more: Partial<ArrivedPing> = {},
): Promise<void> {
  await world.store.pings.record([arrivedPing({ uuid }, world.clock.now(), { action, ...more })])
}
