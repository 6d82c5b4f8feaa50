/** A receiver of webhooks in a process of its own, which records when each arrived. */
import { startChildServer } from './child-server.js'

/** A received request: the number at the end of its path, and when it arrived (ms UTC). */
export interface Arrival {
  number: number
  at: number
}

export interface Receiver {
  /** The settings of a webhook that calls `path` here, with the number of the check, when a check goes down. */
  webhook(path: string): string
  /** The settings of a chat channel that posts to `path` here. */
  chat(path: string): string
  /** What has arrived so far, each number once. */
  arrivals(): Promise<Arrival[]>
  /** Forgets all that has arrived. */
  forget(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a receiver. It answers requests whose path begins with `/slow/` after 10 s, those with `/hang/` never, others as
 * receiver-process.ts says, and all others at once.
 */
export async function startReceiver(): Promise<Receiver> {
  const { origin, ask, stop } = await startChildServer('./receiver-process.js')
  return {
    webhook: path => JSON.stringify({ url_down: `${origin}/${path}/$SLUG`, method_down: 'GET', url_up: '' }),
    chat: path => JSON.stringify({ url: `${origin}/${path}/chat`, hourly_limit: '0' }),
    arrivals: async () => (await ask('arrivals')) as Arrival[],
    async forget() {
      await ask('forget')
    },
    stop,
  }
}

/** Waits at most `withinMs` for `count` of the requests that `counts` accepts, and returns them. */
export async function arrived(
  receiver: Receiver,
  counts: (arrival: Arrival) => boolean,
  count: number,
  withinMs: number,
): Promise<Arrival[]> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const arrivals = (await receiver.arrivals()).filter(counts)
    if (arrivals.length >= count) return arrivals
    if (Date.now() > deadline) throw new Error(`${arrivals.length} of ${count} alerts came in time`)
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}
