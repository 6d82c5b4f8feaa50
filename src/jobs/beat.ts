import type { PingQueue } from '../actions/record-pings.js'
import { BEAT_INTERVAL_MS, type Outage } from '../core/outage.js'
import type { Changes } from '../lib/changes.js'
import type { Clock } from '../lib/clock.js'
import type { Store } from '../storage/store.js'

/**
 * Says every few seconds that this process takes pings, as long as it does, and tells of the outage that a long
 * silence was, or a time in which pings could not be committed.
 */
export function beatJob(deps: {
  store: Pick<Store, 'beat'>
  pings: Pick<PingQueue, 'missed'>
  changes: Changes
  clock: Clock
  process: string
  onOutage(outage: Outage): void
  onError(error: unknown): void
}) {
  const { missed } = deps.pings
  let timer: NodeJS.Timeout | null = null
  let beating: Promise<void> = Promise.resolve()
  let waiting = false
  let stopListening = () => {}
  const beat = async () => {
    const now = deps.clock.now()
    if (missed.isFailing(now)) return
    const over = missed.take()
    try {
      const outage = await deps.store.beat(deps.process, now, over)
      if (outage) deps.onOutage(outage)
    } catch (error) {
      missed.giveBack(over)
      throw error
    }
  }
  const beatNext = () => {
    // One that waits for the one under way is enough, however long that takes.
    if (waiting) return
    waiting = true
    beating = beating
      .then(() => {
        waiting = false
        return beat()
      })
      .catch(deps.onError)
  }
  return {
    /** Resolves after the first beat: an outage before it is then on record. */
    async start() {
      await beat()
      timer = setInterval(beatNext, BEAT_INTERVAL_MS)
      // At once, so that a message that leaves now can say what happened.
      stopListening = deps.changes.on('recovered', beatNext)
    },
    /** Beats once more, if it has begun. */
    async stop() {
      if (timer === null) return
      clearInterval(timer)
      stopListening()
      beatNext()
      await beating
    },
  }
}
