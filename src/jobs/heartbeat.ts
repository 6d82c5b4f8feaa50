import type { Clock } from '../lib/clock.js'
import type { SafeFetch } from '../lib/http/safe-fetch.js'
import type { StoreWith } from '../storage/store.js'
import { Every } from './every.js'

const INTERVAL_MS = 60_000

export interface HeartbeatDeps {
  store: StoreWith<'instance.state'>
  clock: Clock
  fetch: SafeFetch
  url: string
  /** How far the loops of this process have come: numbers that grow while they work. */
  progress(): readonly number[]
  /** Why jobs cannot ping this installation, as far as it knows; or null. */
  pingTrouble(): string | null
  /** Why nothing goes out of this process though it is tried, where there are so many channels; or null. */
  sendingTrouble(channels: number): string | null
  /** Called with what it was that did not move, or what the ping failed of. */
  onMissed(reason: string): void
  intervalMs?: number
}

/**
 * Tells somebody else that Punctual works: pings `url` once a minute, but only if since the minute before some
 * process of the instance has taken pings, none has failed to record them, the watcher and the dispatcher of this one have
 * looked, alerts and e-mails go out, and no canary finds that pings are unreachable.
 */
export function heartbeatJob(deps: HeartbeatDeps) {
  let lastProgress: readonly number[] = []

  async function beat(signal: AbortSignal): Promise<void> {
    const now = deps.clock.now()
    const { beatAt, troubleSince, channels } = await deps.store.instance.state(now)
    const progress = deps.progress()
    const taken = beatAt !== null && now - beatAt < INTERVAL_MS
    const looked = progress.every((steps, index) => steps > (lastProgress[index] ?? 0))
    lastProgress = progress
    if (!taken) return deps.onMissed('nobody takes pings')
    if (troubleSince !== null) return deps.onMissed('pings cannot be recorded')
    if (!looked) return deps.onMissed('the watcher or the dispatcher does not move')
    const trouble = deps.pingTrouble() ?? deps.sendingTrouble(channels)
    if (trouble !== null) return deps.onMissed(trouble)
    const { status } = await deps.fetch({ method: 'GET', url: deps.url }, signal)
    if (status < 200 || status > 299) deps.onMissed(`the heartbeat was answered ${status}`)
  }

  return new Every(deps.intervalMs ?? INTERVAL_MS, beat, error =>
    deps.onMissed(error instanceof Error ? error.message : String(error)),
  )
}
