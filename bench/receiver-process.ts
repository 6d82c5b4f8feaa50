/** Records when each webhook arrives, and reports it on request. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const SLOW_MS = 10_000
const LATE_MS = 4_000

/** What is done with requests whose path begins with these words; all others are answered at once. */
const ACTS: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  hang: () => {},
  slow: (_request, response) => setTimeout(() => response.end(), SLOW_MS),
  late: (_request, response) => setTimeout(() => response.end(), LATE_MS),
  // A body that never ends, a byte at a time or as fast as it is read.
  drip: (_request, response) => {
    const timer = setInterval(() => response.write('.'), 100)
    response.on('close', () => clearInterval(timer))
  },
  endless: (_request, response) => {
    const piece = Buffer.alloc(65_536, '.')
    const go = () => {
      while (!response.destroyed && response.write(piece));
    }
    response.on('drain', go)
    go()
  },
  limit: (_request, response) => response.writeHead(429, { 'Retry-After': '1' }).end(),
  redirect: (request, response) => response.writeHead(307, { Location: request.url! }).end(),
}

const arrivals = new Map<number, number>()

const server = createServer((request, response) => {
  const number = Number(/-(\d+)$/.exec(request.url!)?.[1])
  if (!arrivals.has(number)) arrivals.set(number, performance.timeOrigin + performance.now())
  const act = ACTS[request.url!.split('/')[1]!]
  if (act) act(request, response)
  else response.end()
})
server.listen(0, '127.0.0.1', 4096, () => process.send!((server.address() as AddressInfo).port))
process.on('message', message => {
  if (message === 'forget') arrivals.clear()
  process.send!([...arrivals].map(([number, at]) => ({ number, at })))
})
