import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A received message. */
export interface Arrival {
  /** `hook`, `other` or `chat`: the path that it was sent to. */
  path: string
  /** The delivery's idempotency key; empty for a chat. */
  key: string
  body: string
  /** By the clock that was passed to the receiver. */
  at: number
}

/** Receives messages and keeps them in the order of arrival. */
export interface Receiver {
  url: string
  arrivals: Arrival[]
  /** From now on requests to `path` are accepted and never answered. */
  hang(path: string): void
  /** Answers all requests again. Those that hang are cut off. */
  answerAgain(): void
  /** The number of requests that hang. */
  hanging(): number
  close(): void
}

export async function startReceiver(now: () => number): Promise<Receiver> {
  const arrivals: Arrival[] = []
  const held = new Set<ServerResponse>()
  let hangs: string | null = null
  const server = createServer(async (incoming, outgoing) => {
    const path = incoming.url!.slice(1)
    const pieces: Buffer[] = []
    try {
      for await (const piece of incoming) pieces.push(piece as Buffer)
    } catch {
      // Its sender was killed while sending.
      return
    }
    if (path === hangs) {
      held.add(outgoing)
      outgoing.on('close', () => held.delete(outgoing))
      return
    }
    const key = String(incoming.headers['idempotency-key'] ?? '')
    arrivals.push({ path, key, body: Buffer.concat(pieces).toString(), at: now() })
    outgoing.end('ok')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    hang(path) {
      hangs = path
    },
    answerAgain() {
      hangs = null
      for (const response of held) response.destroy()
    },
    hanging: () => held.size,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
