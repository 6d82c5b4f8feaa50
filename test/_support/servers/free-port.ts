import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give out by themselves, so that nobody gets it before the test uses it. */
const [FIRST, PORTS] = [12_000, 20_000]

/** A loopback port that was free a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * PORTS)
    const server = createServer()
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening')
    } catch {
      continue
    }
    server.close()
    await once(server, 'close')
    return port
  }
}
