/**
 * Live pages: one stream of server-sent events for each open tab. The contents of the page are read again once a
 * second, and immediately after this process has written. Elements that have changed are sent as HTML, by id. Each
 * event has the version of the page that it leads to. A page with another version, because something happened before
 * the stream began or while it was interrupted, is fetched again.
 */
import { createHash } from 'node:crypto'
import { streamSSE } from 'hono/streaming'
import { Refusal } from '../../../core/errors.js'
import type { Role } from '../../../core/people/role.js'
import { digestOf } from '../../../lib/secrets/secrets.js'
import { STREAM_RIGHTS_MS } from '../../auth.js'
import type { WebContext } from '../context.js'
import { SignInNeeded } from '../people/session.js'
import { LiveTurns, type Pace } from './live-turns.js'

/** The changes: elements by id, and the number of checks that are down, for the title and the icon. */
export interface LiveChange {
  version: string
  elements: Record<string, string>
  problems?: number
  /** Entries of the page were added or removed, so it must be fetched again. */
  anew?: boolean
  /** The ids of the entries in their new order, if some have moved. */
  order?: string[]
  /** The number of checks that are down, by the UUID of their project. */
  down?: Record<string, number>
}

/** The contents of a stream, and who may see it. */
interface Shown {
  /** The changes since the last call, or null. */
  look(): Promise<LiveChange | null>
  /** Throws a `Refusal`, which ends the stream, once the reader may no longer see the page. */
  mayRead(): Promise<unknown>
  /** See {@link LiveTurns}. */
  pace?: Pace
}

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // Without this, nginx holds events back until its buffer is full.
  'X-Accel-Buffering': 'no',
}

/** A short name for the contents of `shown`. */
export function versionOf(shown: unknown): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 12)
}

/**
 * Throws a `Refusal` once the reader's role in the project is not `role` any more, with which the stream began: the page that
 * it shows has other parts for another role. The client connects again.
 */
export function requireRole({ role }: HasRole, now: HasRole): void {
  if (now.role !== role) throw new Refusal('forbidden', 'the role in the project has changed')
}

interface HasRole {
  role: Role
}

/** Responds with a stream that begins with `first`: the version of the page, or everything that is shown. */
export function stream(c: WebContext, first: string | LiveChange, { look, mayRead, pace }: Shown): Response {
  const { changes, onError } = c.var.deps
  const turns = new LiveTurns(c.var.streams, pace)
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
  // Hono's own headers would keep the connection open while the process stops.
  const { body } = streamSSE(c, async events => {
    const send = (change: LiveChange) => events.writeSSE({ event: 'change', data: JSON.stringify(change) })
    events.onAbort(() => turns.close())
    try {
      await events.write('retry: 2000\n\n')
      await send(typeof first === 'string' ? { version: first, elements: {} } : first)
      while ((await turns.next()) && (await rights.remain())) {
        const change = turns.isOpen ? await look() : null
        if (!turns.isOpen) break
        // It tells the page that it is connected, and this process whether the client still is.
        await (change ? send(change) : events.writeSSE({ event: 'alive', data: '1' }))
      }
    } catch (error) {
      // What may not be read any more ends the stream, as `mayRead` does.
      const isBug = !(error instanceof Refusal || error instanceof SignInNeeded)
      if (isBug && turns.isOpen && !c.env.outgoing.destroyed) onError(error)
    } finally {
      turns.close()
      for (const stop of stopListening) stop()
    }
  })
  return new Response(body, { headers: HEADERS })
}

/** Whether the reader may still see the page. If this process ends the right to, it ends at once. */
class Rights {
  #seenAt: number

  constructor(
    private readonly c: WebContext,
    private readonly mayRead: Shown['mayRead'],
  ) {
    this.#seenAt = c.var.deps.clock.now()
  }

  /** A user's rights have changed, so they are checked again the next time. */
  suspect(): void {
    this.#seenAt = Number.NEGATIVE_INFINITY
  }

  async remain(): Promise<boolean> {
    const now = this.c.var.deps.clock.now()
    if (Math.abs(now - this.#seenAt) < STREAM_RIGHTS_MS) return true
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
