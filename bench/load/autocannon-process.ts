/** Reads a load from standard input, puts it on the server, and writes the result. */
import { text } from 'node:stream/consumers'
import autocannon from 'autocannon'
import type { Load, Loaded } from './load.js'

const {
  origin,
  paths,
  method = 'GET',
  body,
  headers,
  connections,
  seconds,
  closing,
  rate,
}: Load = JSON.parse(await text(process.stdin))
const result = await autocannon({
  url: origin,
  method,
  connections,
  duration: seconds,
  timeout: 30,
  requests: paths.map(path => ({ path })),
  headers: headers ?? {},
  ...(body === undefined ? {} : { body }),
  ...(closing ? { reconnectRate: 1 } : {}),
  ...(rate === undefined ? {} : { overallRate: Math.round(rate) }),
})
const loaded: Loaded = {
  rate: result.requests.total / result.duration,
  p50: result.latency.p50,
  p99: result.latency.p99,
  max: result.latency.max,
  bad: result.errors + result.timeouts + result.non2xx,
}
process.stdout.write(JSON.stringify(loaded))
