import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP address that leads to a server, and can be redirected to another. */
export interface Switch {
  port: number
  /**
   * Cuts all connections. From now on connections lead to the socket or loopback port `target`; with null nowhere.
   */
  leadTo(target: string | number | null): void
  close(): void
}

export async function openSwitch(first: string | number | null): Promise<Switch> {
  const open = new Set<Socket>()
  let target = first
  const server = createServer(inner => {
    if (target === null) {
      inner.destroy()
      return
    }
    const outer = typeof target === 'number' ? connect(target, '127.0.0.1') : connect(target)
    for (const [socket, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  const cutOff = () => {
    for (const socket of open) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(next) {
      target = next
      cutOff()
    },
    close() {
      server.close()
      cutOff()
    },
  }
}
