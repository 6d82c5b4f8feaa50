import type { Server } from 'node:http'
import { Server as SocketServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A connection that nothing was asked over for so long is closed, and a request may take so much longer. */
const IDLE_MS = 1_000
const FINISH_MS = 3_000

/** A way to stop a server without cutting off a request. */
export interface Drain {
  /** From now on each answer is the last of its connection and says so, so that clients connect elsewhere. */
  begin(): void
  /**
   * Takes no new connections, goes on answering over those that there are, and resolves when all have ended. Those that
   * say nothing are closed after a second; what takes longer than three more is cut off.
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
      // After the turn in which connections were accepted: those that wait to be would be reset.
      await new Promise(resolve => setImmediate(resolve))
      const closed = new Promise<void>(resolve => {
        // Not the HTTP server's own: that closes idle connections, over which a request may just be on its way.
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
