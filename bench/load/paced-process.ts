/** Reads a load with a rate from standard input, sends each request at its own instant, and writes the result. */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { percentile } from '../median.js'
import type { Loaded } from './load.js'
import type { PacedLoad } from './paced.js'

const { origin, paths, connections, seconds, rate }: PacedLoad = JSON.parse(await text(process.stdin))
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const latencies: number[] = []
let bad = 0
const start = performance.now()
const all: Promise<void>[] = []
for (let count = 0; count < rate * seconds; count++) {
  const due = start + (count * 1_000) / rate
  const wait = due - performance.now()
  if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait))
  all.push(send(paths[count % paths.length]!))
}
await Promise.all(all)
agent.destroy()
const loaded: Loaded = {
  rate: (latencies.length * 1_000) / (performance.now() - start),
  p50: percentile(latencies, 0.5),
  p99: percentile(latencies, 0.99),
  max: percentile(latencies, 1),
  bad,
}
process.stdout.write(JSON.stringify(loaded))

async function send(path: string): Promise<void> {
  const sent = performance.now()
  try {
    const asked = request(`${origin}${path}`, { agent, timeout: 30_000 }).end()
    const [answer] = await once(asked, 'response')
    answer.resume()
    await once(answer, 'end')
    if (answer.statusCode > 399) bad++
  } catch {
    bad++
  }
  latencies.push(performance.now() - sent)
}
