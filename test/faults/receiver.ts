import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the receiver of the webhooks got, by idempotency key. */
export type Received = Map<string, { body: string; times: number }>

/** A receiver of webhooks that thanks for each and keeps it in `received`. */
export async function startReceiver(received: Received): Promise<{ port: number; close(): void }> {
  const server = createServer((incoming, outgoing) => {
    const pieces: Buffer[] = []
    incoming.on('data', piece => pieces.push(piece))
    incoming.on('end', () => {
      const key = String(incoming.headers['idempotency-key'])
      const body = Buffer.concat(pieces).toString()
      received.set(key, { body, times: (received.get(key)?.times ?? 0) + 1 })
      outgoing.end('thanks')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}
