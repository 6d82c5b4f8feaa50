import { BEAT_INTERVAL_MS, type Outage } from '../core/outage.js'
import type { Clock } from '../lib/clock.js'
import type { Store } from '../storage/store.js'

/** Says every few seconds that this process takes pings, and tells of the outage that a long silence was. */
export function beatJob(deps: {
  store: Pick<Store, 'beat'>
  clock: Clock
  process: string
  onOutage(outage: Outage): void
  onError(error: unknown): void
}) {
  let timer: NodeJS.Timeout | null = null
  let beating: Promise<void> = Promise.resolve()
  const beat = async () => {
    const outage = await deps.store.beat(deps.process, deps.clock.now())
    if (outage) deps.onOutage(outage)
  }
  return {
    /** Resolves after the first beat: an outage before it is then on record. */
    async start() {
      await beat()
      timer = setInterval(() => {
        beating = beat().catch(deps.onError)
      }, BEAT_INTERVAL_MS)
    },
    async stop() {
      if (timer) clearInterval(timer)
      await beating
      await beat().catch(deps.onError)
    },
  }
}
