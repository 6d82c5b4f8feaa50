/** Records when each webhook arrives, and reports it on request. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const SLOW_MS = 10_000
const arrivals = new Map<number, number>()

const server = createServer((request, response) => {
  const number = Number(/-(\d+)$/.exec(request.url!)?.[1])
  if (!arrivals.has(number)) arrivals.set(number, performance.timeOrigin + performance.now())
  if (request.url!.startsWith('/hang/')) return
  if (request.url!.startsWith('/slow/')) setTimeout(() => response.end(), SLOW_MS)
  else response.end()
})
server.listen(0, '127.0.0.1', 4096, () => process.send!((server.address() as AddressInfo).port))
process.on('message', message => {
  if (message === 'forget') arrivals.clear()
  process.send!([...arrivals].map(([number, at]) => ({ number, at })))
})
