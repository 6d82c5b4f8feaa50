import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface RpcCall {
  jsonrpc: string
  method: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into many shapes
  params: any
  id: string
}

/** Writes what it likes to the line; an object it returns is sent as the reply to the call. */
type Respond = (call: RpcCall, socket: Socket) => object | undefined

/** Closes a server after its test, or after its file's tests. */
interface Owner {
  after(close: () => void): void
}

/**
 * A JSON-RPC server that records its calls, on a UNIX socket, or with `tcp` on a port of this machine. Without
 * `respond` every call succeeds.
 */
export async function openRpcServer(
  owner: Owner,
  respond: Respond = () => ({ result: { timestamp: 1 } }),
  { tcp = false }: { tcp?: boolean } = {},
) {
  const calls: RpcCall[] = []
  const sockets = new Set<Socket>()
  const folder = mkdtempSync(join(tmpdir(), 'rpc-'))
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    createInterface({ input: socket })
      .on('error', () => {})
      .on('line', line => {
        const call = JSON.parse(line) as RpcCall
        calls.push(call)
        const reply = respond(call, socket)
        if (reply) socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...reply, id: call.id })}\n`)
      })
  })
  const path = join(folder, 'socket')
  await new Promise<void>(resolve =>
    tcp ? server.listen(0, '127.0.0.1', resolve) : server.listen(path, resolve),
  )
  owner.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const address = tcp ? `127.0.0.1:${(server.address() as AddressInfo).port}` : path
  return { address, calls }
}
