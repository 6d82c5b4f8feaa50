/** A line to a worker of Citus that can be cut for the coordinator, for Punctual, or for both. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Who uses a connection. */
export type User = 'coordinator' | 'punctual'

export interface Line {
  /** The loopback port on which the worker is reached. */
  port: number
  /** From now on, what `user` sends is lost in silence, also on new connections. */
  cut(...users: User[]): void
  /** The line works again. Connections that were cut are reset. */
  mend(): void
  close(): void
}

/** Opens a line to a server on loopback port `target`. */
export async function openLine(target: number): Promise<Line> {
  const open = new Map<Socket, User | null>()
  let lost: readonly User[] = []
  const keep = (socket: Socket, user: User | null) => {
    open.set(socket, user)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
  }
  const server = createServer(near => {
    keep(near, null)
    near.once('data', first => {
      const user = userOf(first as Buffer)
      open.set(near, user)
      if (lost.includes(user)) return near.pause()
      const far = connect(target, '127.0.0.1')
      keep(far, user)
      far.write(first)
      near.pipe(far)
      far.pipe(near)
      near.on('close', () => far.destroy())
      far.on('close', () => near.destroy())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const isCut = (user: User | null) => user !== null && lost.includes(user)
  return {
    port: (server.address() as AddressInfo).port,
    cut(...users) {
      lost = users
      for (const [socket, user] of open) if (isCut(user)) socket.unpipe().pause()
    },
    mend() {
      for (const [socket, user] of open) if (isCut(user)) socket.destroy()
      lost = []
    },
    close() {
      server.close()
      for (const socket of open.keys()) socket.destroy()
    },
  }
}

/** The length (bytes) of a request to cancel a statement, which names no program. Punctual sends none. */
const CANCEL_BYTES = 16

/** The first message of a connection names the program. */
function userOf(first: Buffer): User {
  return first.length === CANCEL_BYTES || first.includes('citus_internal') ? 'coordinator' : 'punctual'
}
