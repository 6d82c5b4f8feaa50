import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Config } from '../config.js'
import type { Probes } from '../http/probes.js'

/** The listener on METRICS_PORT, which answers only `probes`; without that setting it does nothing. */
export function metricsServer({ METRICS_PORT, METRICS_HOST }: Config, probes: Probes) {
  const server = createServer((request, response) => {
    if (!probes(request, response)) response.writeHead(404, { 'Content-Length': '0' }).end()
  })
  return {
    /** Rejects if the port is not available. */
    async start() {
      if (METRICS_PORT === null) return
      server.listen(METRICS_PORT, METRICS_HOST)
      await once(server, 'listening')
    },
    async stop() {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
    },
  }
}
