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
 * How many connections may wait to be accepted, where the system allows so many (`net.core.somaxconn`): at the top of an
 * hour thousands come within a second.
 */
const BACKLOG = 4_096

/** What answers pings, people and programs on PORT; not yet listening. */
export function webOf(config: Config, parts: Omit<AppDeps, 'config'> & { pings: PingQueue; probes: Probes }) {
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
    /** Resolves with the port; rejects when it cannot be listened on. */
    async listen(): Promise<number> {
      server.listen({ port: config.PORT, host: config.HOST, backlog: BACKLOG })
      await once(server, 'listening')
      limitConnections(server, openFilesAllowed(), () => parts.pings.turnedAway())
      return (server.address() as AddressInfo).port
    },
    /** Tells clients from now on to connect elsewhere, and still answers everything. */
    drain: () => drain.begin(),
    /** Takes nothing new; resolves when what is under way is answered or, after a while, cut off. */
    async close(): Promise<void> {
      parts.changes.emit('closing', {})
      await drain.end()
    },
  }
}
