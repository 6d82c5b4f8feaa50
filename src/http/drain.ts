import type { Server } from 'node:http'
import { Server as SocketServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** When draining, an idle connection is closed after `IDLE_MS`, and a request may take `FINISH_MS` longer. */
const IDLE_MS = 1_000
const FINISH_MS = 3_000

/**
 * A turn of the event loop that is shorter is idle: no connection or request was processed in it. After `BUSY_MS` a
 * server that has no idle turn is closed all the same.
 */
const IDLE_TURN_MS = 0.2
const BUSY_MS = 500

/** Stops a server without cutting off requests. */
export interface Drain {
  /**
   * From now on each response is the last on its connection (`Connection: close`), so that clients connect elsewhere.
   */
  begin(): void
  /**
   * Accepts no new connections, answers requests on open ones, and resolves when all have closed. Idle connections are
   * closed after a second; requests that take more than three seconds longer are cut off.
   */
  end(): Promise<void>
}

export function drainOf(server: Server): Drain {
  return {
    begin() {
      server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
    },
    async end() {
      if (!server.listening) return
      await untilIdle()
      const closed = new Promise<void>(resolve => {
        // Not the HTTP server's own `close`, which closes idle connections even if a request is already on its way.
        SocketServer.prototype.close.call(server, () => resolve())
      })
      const over = new AbortController()
      const cutOff = async () => {
        await sleep(IDLE_MS, undefined, over)
        server.closeIdleConnections()
        await sleep(FINISH_MS, undefined, over)
        server.closeAllConnections()
      }
      const cutting = cutOff().catch(() => {})
      await closed
      over.abort()
      await cutting
    },
  }
}

/**
 * Resolves after an idle turn of the event loop. Each turn accepts the connections that wait, then processes requests;
 * connections that arrive meanwhile would be reset if the server were closed at its end.
 */
async function untilIdle(): Promise<void> {
  const start = performance.now()
  let turn: number
  // The first one ends the turn under way, which has accepted already.
  await nextTurn()
  do {
    turn = performance.now()
    await nextTurn()
  } while (performance.now() - turn > IDLE_TURN_MS && turn - start < BUSY_MS)
}

const nextTurn = () => new Promise(resolve => setImmediate(resolve))
