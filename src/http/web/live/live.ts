/**
 * Live pages: one stream of server-sent events for each open tab. What the page shows is read again once a second, and
 * at once after this process has written; what looks different is sent as HTML, by the id of the element. Each event
 * carries the version that the page then is. A page of another version, because something happened before the stream
 * began or while it was broken, is fetched anew.
 */
import { createHash } from 'node:crypto'
import { streamSSE } from 'hono/streaming'
import { Refusal } from '../../../core/errors.js'
import { digestOf } from '../../../lib/secrets/secrets.js'
import type { WebContext } from '../context.js'
import { LiveTurns } from './live-turns.js'

/** What changed: elements by id, and how many checks are down, for the title and the icon. */
export interface LiveChange {
  version: string
  elements: Record<string, string>
  problems?: number
  /** What the page lists has come or gone, so that it has to be fetched anew. */
  anew?: boolean
}

/** What a stream shows, and to whom. */
interface Shown {
  /** What changed since it was last asked, or null. */
  look(): Promise<LiveChange | null>
  /** Throws a `Refusal` once the reader may not see the page any more, which ends the stream. */
  mayRead(): Promise<unknown>
}

/** How long a right that was taken away by another process may still count; by this one it ends at once. */
const RIGHTS_MS = 30_000

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // Else nginx would hold events back until its buffer is full.
  'X-Accel-Buffering': 'no',
}

/** A short name for what `shown` is made of. */
export function versionOf(shown: unknown): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 12)
}

/** Answers with a stream that begins with `version`. */
export function stream(c: WebContext, version: string, { look, mayRead }: Shown): Response {
  const { changes, onError } = c.var.deps
  const turns = new LiveTurns(c.var.streams)
  const rights = new Rights(c, mayRead)
  const suspect = () => {
    rights.suspect()
    turns.nudge()
  }
  const stopListening = [
    changes.on('checks', () => turns.nudge()),
    changes.on('access', suspect),
    changes.on('closing', () => turns.close()),
  ]
  // Hono's own headers would keep the connection alive while the process stops.
  const { body } = streamSSE(c, async events => {
    const send = (change: LiveChange) => events.writeSSE({ event: 'change', data: JSON.stringify(change) })
    events.onAbort(() => turns.close())
    try {
      await events.write('retry: 2000\n\n')
      await send({ version, elements: {} })
      while ((await turns.next()) && (await rights.remain())) {
        const change = turns.isOpen ? await look() : null
        if (!turns.isOpen) break
        // The page knows by it that it is connected, and we whether anybody is still there.
        await (change ? send(change) : events.writeSSE({ event: 'alive', data: '1' }))
      }
    } catch (error) {
      if (turns.isOpen) onError(error)
    } finally {
      turns.close()
      for (const stop of stopListening) stop()
    }
  })
  return new Response(body, { headers: HEADERS })
}

/** Whether the reader may still see the page. */
class Rights {
  #seenAt: number

  constructor(
    private readonly c: WebContext,
    private readonly mayRead: Shown['mayRead'],
  ) {
    this.#seenAt = c.var.deps.clock.now()
  }

  /** Somebody's rights have changed: looks again the next time. */
  suspect(): void {
    this.#seenAt = Number.NEGATIVE_INFINITY
  }

  async remain(): Promise<boolean> {
    const now = this.c.var.deps.clock.now()
    if (Math.abs(now - this.#seenAt) < RIGHTS_MS) return true
    this.#seenAt = now
    return (await hasSession(this.c)) && (await isAllowed(this.mayRead))
  }
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
