import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** While more requests of a connection than this have no answer, nothing more is read from it. */
const READ_AHEAD = 10

/** As many are under way at most; one piece that is read may contain a thousand requests, of which the others are refused. */
const MOST_UNDER_WAY = 20

interface Connection {
  unanswered: number
  /** Called when a response has ended. */
  answered(): void
}

/**
 * Limits how many requests of a connection are under way: who does not wait for answers would otherwise get past every
 * wait for strangers, and fill the memory. Decision 0144.
 */
export class PipelineLimit {
  readonly #connections = new WeakMap<Socket, Connection>()

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      const connection: Connection = {
        unanswered: 0,
        answered: () => {
          connection.unanswered--
          if (connection.unanswered === READ_AHEAD) socket.resume()
        },
      }
      this.#connections.set(socket, connection)
      // Node.js resumes the socket for the body of each request, also if there is none.
      socket.on('resume', () => {
        if (connection.unanswered > READ_AHEAD) socket.pause()
      })
    })
  }

  /** Counts a request until its response ends. Returns whether it may be answered; if not, it must be refused at once. */
  admits(socket: Socket, response: ServerResponse): boolean {
    const connection = this.#connections.get(socket)
    if (!connection) return true
    connection.unanswered++
    response.on('close', connection.answered)
    if (connection.unanswered > READ_AHEAD) socket.pause()
    return connection.unanswered <= MOST_UNDER_WAY
  }
}
