/** A connection to a server that can be cut: data on it is silently lost, and nothing new gets through. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'

/** Opens a way to `root`; `cut`, `refuse` and `mend` are its switch. It closes when the file's tests are over. */
export async function openLooseCable(root: string) {
  const { port, hostname } = new URL(root)
  const sockets = new Set<Socket>()
  let isCut = false
  let refuses = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer(near => {
    keep(near)
    if (refuses) near.destroy()
    if (isCut || refuses) return
    const far = connect(Number(port), hostname)
    keep(far)
    near.pipe(far)
    far.pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return {
    root: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    /** Open connections are reset, and so are new ones. */
    refuse() {
      refuses = true
      for (const socket of sockets) socket.destroy()
    },
    /** Connections that were open before are reset, as by a server that does not know them. */
    mend() {
      isCut = false
      refuses = false
      for (const socket of sockets) socket.destroy()
    },
  }
}
