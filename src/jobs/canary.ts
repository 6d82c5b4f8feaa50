import type { CanaryNews } from '../actions/instance/compose-canary-notice.js'
import { afterRequest, type CanaryRecord, NEW_RUN } from '../core/instance/canary.js'
import type { Clock } from '../lib/clock.js'
import type { StoreWith } from '../storage/store.js'
import { Every } from './every.js'

const INTERVAL_MS = 60_000

export interface CanaryDeps {
  store: StoreWith<'instance.noteCanary'>
  clock: Clock
  /** Requests the ping endpoint. Resolves with null, or with the reason of the failure. */
  request(signal: AbortSignal): Promise<string | null>
  /** Called with the first failure of each series. */
  onFailure(reason: string): void
  onChange(news: CanaryNews): void
  /** Notifies the operator. If it rejects, it is called again after the next request, unless there is newer news. */
  notify(news: CanaryNews, signal: AbortSignal): Promise<void>
  onError(error: unknown): void
  intervalMs?: number
}

/** Requests the ping endpoint once a minute, as a job would, and notes when pings cannot reach Punctual. */
export function canaryJob(deps: CanaryDeps) {
  const requests = new Every(deps.intervalMs ?? INTERVAL_MS, look, deps.onError)
  let run = NEW_RUN
  let unreachable: CanaryRecord['unreachable'] = null
  let unsent: CanaryNews | null = null

  async function look(signal: AbortSignal): Promise<void> {
    const at = deps.clock.now()
    const failure = await deps.request(signal)
    if (signal.aborted) return
    run = afterRequest(run, at, failure === null)
    if (failure !== null && run.failures === 1) deps.onFailure(failure)
    const { record, outage, change } = await deps.store.instance.noteCanary(run, deps.clock.now())
    unreachable = record.unreachable
    if (outage && change) {
      const until = change === 'reachable' ? outage.endedAt : null
      unsent = { since: outage.startedAt, until, reason: failure ?? '' }
      deps.onChange(unsent)
    }
    await notifyOperator(signal)
  }

  async function notifyOperator(signal: AbortSignal): Promise<void> {
    if (!unsent) return
    const news = unsent
    await deps.notify(news, signal)
    if (unsent === news) unsent = null
  }

  return {
    /** Whether the newest request succeeded; null before the first. */
    reached: (): boolean | null => (run === NEW_RUN ? null : run.failures === 0),
    /** Why jobs cannot ping, or null. */
    trouble: (): string | null => (unreachable ? 'pings cannot reach the ping endpoint' : null),
    start() {
      requests.start()
      requests.now()
    },
    stop: () => requests.stop(),
  }
}
