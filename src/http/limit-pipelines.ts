import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { RETRY_SOON } from './errors.js'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** How many requests of a connection may wait for the one before them. No client is known that sends even one ahead. */
const MOST_WAITING = 10

const TOO_MANY = [
  'HTTP/1.1 503 Service Unavailable',
  `Retry-After: ${RETRY_SOON['Retry-After']}`,
  'Connection: close',
  'Content-Length: 0\r\n\r\n',
].join('\r\n')

interface Connection {
  isBusy: boolean
  waiting: { request: IncomingMessage; response: ServerResponse }[]
  /** Called when a response has ended. */
  next(): void
}

/**
 * Answers the requests of a connection one after the other, and cuts off who sends too many ahead: they would otherwise get
 * past every wait for strangers, keep the process busy and fill the memory. Decision 0144.
 */
export function answerInTurn(answer: Answer): Answer {
  const connections = new WeakMap<Socket, Connection>()

  const start = (connection: Connection, request: IncomingMessage, response: ServerResponse) => {
    connection.isBusy = true
    response.on('close', connection.next)
    answer(request, response)
  }

  const open = (socket: Socket) => {
    const connection: Connection = {
      isBusy: false,
      waiting: [],
      next: () => {
        connection.isBusy = false
        const next = socket.writable ? connection.waiting.shift() : undefined
        if (next) start(connection, next.request, next.response)
      },
    }
    connections.set(socket, connection)
    // Before Node.js makes an error with a stack for each of them.
    socket.prependListener('close', () => drop(connection))
    return connection
  }

  return (request, response) => {
    const { socket } = request
    const connection = connections.get(socket) ?? open(socket)
    if (!connection.isBusy) return start(connection, request, response)
    connection.waiting.push({ request, response })
    if (connection.waiting.length > MOST_WAITING) cutOff(socket, connection)
  }
}

function cutOff(socket: Socket, connection: Connection): void {
  stopParsing(socket)
  // Only the first response can be sent; later ones would be mixed up with those before them.
  if (socket.bytesWritten === 0) socket.write(TOO_MANY)
  socket.destroy()
  drop(connection)
}

function drop(connection: Connection): void {
  for (const { request } of connection.waiting.splice(0)) request.destroy()
}

/**
 * What was read from the socket at once may contain thousands of requests. Node.js parses them all, also if the socket is
 * destroyed or its parser paused, unless its callback for a request returns an error. It has no public way to do so:
 * without `parser`, only more time is lost.
 */
function stopParsing(socket: Socket & { parser?: { onIncoming: (() => number) | null } | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => -1
}
