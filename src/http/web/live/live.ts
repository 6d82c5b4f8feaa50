/**
 * Live pages: one stream of server-sent events for each open tab. What the page shows is read again once a second, and
 * at once after this process has written; what looks different is sent as HTML, by the id of the element. Each event
 * carries the version that the page then is. A page of another version, because something happened before the stream
 * began or while it was broken, is fetched anew.
 */
import { createHash } from 'node:crypto'
import { Refusal } from '../../../core/errors.js'
import { digestOf } from '../../../lib/secrets/secrets.js'
import type { WebContext } from '../context.js'

/** What changed: elements by id, and how many checks are down, for the title and the icon. */
export interface LiveChange {
  version: string
  elements: Record<string, string>
  problems?: number
  /** What the page lists has come or gone, so that it has to be fetched anew. */
  anew?: boolean
}

const EVERY_MS = 1_000

/** Writes of this process within so short a time are shown together; while they go on, half a second lies between two. */
const GATHER_MS = 100
const APART_MS = 500

/** Then the browser connects again. */
const LONGEST_MS = 300_000

/** How long a right that was taken away by another process may still count; by this one it ends at once. */
const RIGHTS_MS = 30_000

/** A short name for what `shown` is made of. */
export function versionOf(shown: unknown): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 12)
}

/**
 * Answers with a stream that begins with `version`. `look` returns what changed since it was last asked, or null;
 * `mayRead` throws a `Refusal` once the reader may not see the page any more, which ends the stream.
 */
export function stream(
  c: WebContext,
  version: string,
  { look, mayRead }: { look(): Promise<LiveChange | null>; mayRead(): Promise<unknown> },
): Response {
  const { changes, clock, onError } = c.var.deps
  const { streams } = c.var
  const encoder = new TextEncoder()
  const endAt = performance.now() + LONGEST_MS
  let open = true
  let nudged = false
  let seenRightsAt = clock.now()
  let wake = () => {}
  let isIdle = false
  const nudge = () => {
    nudged = true
    if (isIdle) wake()
  }
  const close = () => {
    open = false
    for (const stop of stopListening) stop()
    wake()
  }
  const suspect = () => {
    seenRightsAt = Number.NEGATIVE_INFINITY
    nudge()
  }
  const stopListening = [
    changes.on('checks', nudge),
    changes.on('access', suspect),
    changes.on('closing', close),
  ]
  c.env.outgoing.once('close', close)
  if (c.env.outgoing.destroyed) close()
  const keepsRights = async () => {
    const now = clock.now()
    if (Math.abs(now - seenRightsAt) < RIGHTS_MS) return true
    seenRightsAt = now
    return (await hasSession(c)) && (await isAllowed(mayRead))
  }
  const sleep = (ms: number) =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let gone = false
      const send = (text: string) => controller.enqueue(encoder.encode(text))
      const tell = (change: LiveChange) => send(`event: change\ndata: ${JSON.stringify(change)}\n\n`)
      const run = async () => {
        let lookedAt = Number.NEGATIVE_INFINITY
        send('retry: 2000\n\n')
        tell({ version, elements: {} })
        while (open && performance.now() < endAt) {
          isIdle = true
          if (!nudged) await sleep(EVERY_MS)
          isIdle = false
          if (nudged && open) await sleep(Math.max(GATHER_MS, lookedAt + APART_MS - performance.now()))
          if (open) await sleep(streams.waitForLook(performance.now()))
          nudged = false
          lookedAt = performance.now()
          if (open && !(await keepsRights())) break
          const change = open ? await look() : null
          // The page knows by it that it is connected, and we whether anybody is still there.
          if (open) change ? tell(change) : send('event: alive\ndata: 1\n\n')
        }
      }
      run()
        .catch(error => {
          gone = !open
          if (open) onError(error)
        })
        .finally(() => {
          close()
          if (!gone) end(controller)
        })
    },
    cancel: close,
  })
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      // Else nginx would hold events back until its buffer is full.
      'X-Accel-Buffering': 'no',
    },
  })
}

async function hasSession(c: WebContext): Promise<boolean> {
  const { store, clock } = c.var.deps
  const session = await store.people.findSession(digestOf(c.var.csrfSeed!), clock.now())
  return session?.sessionId === c.var.session?.sessionId
}

async function isAllowed(mayRead: () => Promise<unknown>): Promise<boolean> {
  try {
    await mayRead()
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function end(controller: ReadableStreamDefaultController): void {
  try {
    controller.close()
  } catch {
    // The browser has closed it already.
  }
}
