import { sendingTrouble } from '../core/instance/sending-trouble.js'
import type { Clock } from '../lib/clock.js'
import type { SafeFetch } from '../lib/http/safe-fetch.js'
import type { StoreWith } from '../storage/store.js'
import { Every } from './every.js'

const INTERVAL_MS = 60_000

export interface HeartbeatDeps {
  store: StoreWith<'instance.state' | 'instance.sending'>
  clock: Clock
  fetch: SafeFetch
  url: string
  /** Counters of the loops of this process, which grow while the loops work. */
  progress(): readonly number[]
  /** Why jobs cannot ping this installation, if that is known; else null. */
  pingTrouble(): string | null
  /** The number of things that wait because a row of theirs cannot be written or read: see `Failed`. */
  setAside(): number
  /** Called with the reason why no heartbeat was sent, or why it failed. */
  onMissed(reason: string): void
  intervalMs?: number
}

/**
 * Pings `url` once a minute to show that Punctual works. It skips the ping if, since the minute before, no process of
 * the instance accepted pings, some process failed to record them, the watcher or the dispatcher of this process made
 * no pass or left something out for a bad row, alerts or e-mails could not be sent, or the canary found the ping endpoint unreachable.
 */
export function heartbeatJob(deps: HeartbeatDeps) {
  let lastProgress: readonly number[] = []

  async function beat(signal: AbortSignal): Promise<void> {
    const now = deps.clock.now()
    const { beatAt, troubleSince } = await deps.store.instance.state(now)
    const progress = deps.progress()
    const taken = beatAt !== null && now - beatAt < INTERVAL_MS
    const looked = progress.every((steps, index) => steps > (lastProgress[index] ?? 0))
    lastProgress = progress
    if (!taken) return deps.onMissed('nobody takes pings')
    if (troubleSince !== null) return deps.onMissed('pings cannot be recorded')
    if (!looked) return deps.onMissed('the watcher or the dispatcher does not move')
    if (deps.setAside() > 0)
      return deps.onMissed('a row that alerts, e-mails or a deletion need cannot be written or read')
    const trouble = deps.pingTrouble() ?? sendingTrouble(await deps.store.instance.sending(now))
    if (trouble !== null) return deps.onMissed(trouble)
    const { status } = await deps.fetch({ method: 'GET', url: deps.url }, signal)
    if (status < 200 || status > 299) deps.onMissed(`the heartbeat was answered ${status}`)
  }

  return new Every(deps.intervalMs ?? INTERVAL_MS, beat, error =>
    deps.onMissed(error instanceof Error ? error.message : String(error)),
  )
}
