import type { Server } from 'node:http'
import { Server as SocketServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** When draining, an idle connection is closed after `IDLE_MS`, and a request may take `FINISH_MS` longer. */
const IDLE_MS = 1_000
const FINISH_MS = 3_000

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
      // After the turn in which connections are accepted; otherwise connections that wait to be accepted would be
      // reset.
      await new Promise(resolve => setImmediate(resolve))
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
