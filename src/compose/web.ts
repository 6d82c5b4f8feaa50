import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { PingQueue } from '../actions/pings/record-pings.js'
import type { Config } from '../config.js'
import { createApp } from '../http/app.js'
import type { AppDeps } from '../http/deps.js'
import { drainOf } from '../http/drain.js'
import { hstsOf } from '../http/headers.js'
import { limitConnections, openFilesAllowed } from '../http/limit-connections.js'
import type { Probes } from '../http/probes.js'
import { createHttpServer } from '../http/server.js'
import { basePath } from '../http/url.js'
import { createStampSource } from '../lib/clock.js'
import { canaryAnswer } from '../lib/secrets/canary-path.js'
import { secretKeysOf } from '../lib/secrets/secret-key.js'

/**
 * The maximum number of connections that may wait to be accepted, if the system allows it (`net.core.somaxconn`): at
 * the top of the hour thousands arrive within a second.
 */
const BACKLOG = 4_096

/** The HTTP server on PORT, for pings, pages and the API; not listening yet. */
export function createWeb(
  config: Config,
  parts: Omit<AppDeps, 'config' | 'anonymous'> & { pings: PingQueue; probes: Probes },
) {
  const app = createApp({ ...parts, config })
  const secretKeys = secretKeysOf(config)
  const server = createHttpServer({
    hsts: hstsOf(config),
    prefix: basePath(config.SITE_ROOT),
    pings: parts.pings,
    stamp: createStampSource(parts.clock),
    bodyLimit: config.PING_BODY_LIMIT,
    answerToCanary: path => canaryAnswer(secretKeys, path),
    onError: parts.onError,
    probes: parts.probes,
    app: getRequestListener((request, env) => app.fetch(request, env as never)),
  })
  const drain = drainOf(server)
  return {
    /** Resolves with the port; rejects if it is not available. */
    async listen(): Promise<number> {
      server.listen({ port: config.PORT, host: config.HOST, backlog: BACKLOG })
      await once(server, 'listening')
      limitConnections(server, openFilesAllowed(), () => parts.pings.hearing.turnedAway())
      for (const event of ['connection', 'drop'] as const)
        server.on(event, () => parts.pings.hearing.doors.came())
      parts.pings.hearing.stalls.start()
      return (server.address() as AddressInfo).port
    },
    /** Asks clients to connect elsewhere from now on, and still answers everything. */
    drain: () => drain.begin(),
    /** Accepts no more requests. Resolves when those under way are answered or, after a while, aborted. */
    async close(): Promise<void> {
      parts.changes.emit('closing', {})
      await drain.end()
      parts.pings.hearing.stalls.stop()
    },
  }
}
