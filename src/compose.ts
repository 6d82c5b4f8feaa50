/** Wires everything; with src/compose/ the only place that does. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { versions } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import type { DeliverDeps } from './actions/deliver.js'
import { recomputeDueTimes } from './actions/recompute-due-times.js'
import { PingQueue } from './actions/record-pings.js'
import { deliveryOf, outletsOf } from './compose/delivery.js'
import { heartbeatOf } from './compose/heartbeat.js'
import { smtpOf } from './compose/mail-in.js'
import { processMetrics } from './compose/metrics.js'
import { metricsServer } from './compose/metrics-server.js'
import { objectStorageOf } from './compose/object-storage.js'
import { errorReporter } from './compose/report-errors.js'
import { openStore } from './compose/store.js'
import type { Config } from './config.js'
import { zoneDataVersion } from './core/schedule/index.js'
import { createApp } from './http/app.js'
import { createProbes } from './http/probes.js'
import { createHttpServer } from './http/server.js'
import { integrations } from './integrations/index.js'
import { beatJob } from './jobs/beat.js'
import { deliveriesJob } from './jobs/deliveries.js'
import { goingDownJob } from './jobs/going-down.js'
import { hearBotsJob } from './jobs/hear-bots.js'
import { reportsJob } from './jobs/reports.js'
import { Changes } from './lib/changes.js'
import { stamps, systemClock } from './lib/clock.js'
import type { Log } from './lib/log.js'
import { newToken } from './lib/secrets.js'
import type { Store } from './storage/store.js'

export interface Punctual {
  store: Store
  /**
   * Does what its roles are. Resolves with the site's address and the ports listened on, for requests and for mail
   * (null: on none); rejects when it cannot listen.
   */
  start(): Promise<{ url: string; port: number | null; smtpPort: number | null }>
  /** Stops accepting, commits what is in hand, finishes or gives back deliveries. Takes seconds at most. */
  stop(): Promise<void>
}

/** `web` takes pings and requests, `worker` notices silence and delivers. */
export type Role = 'web' | 'worker'

/** How long requests under way may take when the process is to stop. */
const FINISH_REQUESTS_MS = 3_000

/**
 * The program on its database, which is made where it is missing; not yet listening. Of any number of processes
 * on one PostgreSQL each may have either role or both.
 */
export async function compose(
  config: Config,
  log: Log,
  roles: ReadonlySet<Role> = new Set(['web', 'worker']),
): Promise<Punctual> {
  const store = await openStore(config, { create: true })
  const clock = systemClock
  const changes = new Changes()
  const process = `${hostname()} ${newToken().slice(0, 8)}`
  const onError = errorReporter(log, clock)
  const onBug = (message: string) => log.error('unexpected error in the rules of a check', { message })

  const metrics = processMetrics(config.METRICS_KEY !== '' || config.METRICS_PORT !== null)
  const pings = new PingQueue(store, changes, onBug, metrics.noteBatch, config.DATABASE_URL === '')
  const onDelivery: DeliverDeps['onDelivery'] = event => {
    metrics.noteDelivery(event)
    log.info('delivery', { ...event })
  }
  const { bodies, objects } = await objectStorageOf(config, store, log, onError)
  const delivery = deliveryOf(config, { store, changes, worker: process, bodies, onDelivery, onError })
  const { mailer } = outletsOf(config)
  const onMail = (event: object) => log.info('mail', { ...event })
  const app = createApp({
    delivery,
    config,
    store,
    clock,
    pings,
    changes,
    mailer,
    bodies,
    onError,
  })
  let taking = true
  const probed = { store, isTaking: () => taking, metrics: () => metrics.text(store, pings) }
  const prefix = new URL(config.SITE_ROOT).pathname.replace(/\/$/, '')
  const server = createHttpServer({
    prefix,
    pings,
    stamp: stamps(clock),
    bodyLimit: config.PING_BODY_LIMIT,
    onError,
    probes: createProbes(probed, config.METRICS_KEY),
    app: getRequestListener((request, env) => app.fetch(request, env as never)),
  })
  const takesMail = roles.has('web') && config.SMTPD_PORT !== null
  const smtp = takesMail ? await smtpOf(config, { store, pings, stamp: stamps(clock), log, onError }) : null
  const beat = beatJob({
    store,
    pings,
    changes,
    clock,
    process,
    onOutage: outage => log.warn('pings could not be taken for a while', { ...outage }),
    onError,
  })
  const goingDown = goingDownJob({ store, pings, changes, clock, onBug, onError })
  const deliveries = deliveriesJob({ ...delivery, store })
  const reports = mailer && reportsJob({ ...delivery, mailer, secretKey: config.SECRET_KEY, onMail })
  const bots = hearBotsJob({
    integrations,
    clock,
    secretKey: config.SECRET_KEY,
    siteRoot: config.SITE_ROOT,
    operator: config.operator,
    ways: delivery.ways,
    onTrouble: trouble => log.warn('a bot cannot be asked what was said to it', { ...trouble }),
    onError,
  })
  const heartbeat = heartbeatOf(config, store, log, () => [goingDown.looks(), deliveries.looks()])
  const inside = metricsServer(config, createProbes(probed, config.METRICS_KEY || null))

  return {
    store,
    async start() {
      let smtpPort: number | null = null
      if (roles.has('web')) {
        server.listen(config.PORT, config.HOST)
        await once(server, 'listening')
        if (smtp) {
          // One listener without the other must not keep the process.
          smtpPort = await smtp.listen(config.SMTPD_PORT!, config.SMTPD_HOST).catch(error => {
            server.close()
            throw error
          })
        }
      }
      await inside.start().catch(error => {
        server.close()
        throw error
      })
      // An absence before this start is on record before silence is judged.
      if (roles.has('web')) await beat.start()
      const recomputed = await recomputeDueTimes(store, zoneDataVersion(versions.tz ?? ''))
      if (recomputed > 0) log.info('due times follow new zone data', { checks: recomputed })
      if (roles.has('worker')) {
        goingDown.start()
        deliveries.start()
        reports?.start()
        bots.start()
        objects?.start()
        heartbeat?.start()
      }
      return { url: config.SITE_ROOT, port: (server.address() as AddressInfo | null)?.port ?? null, smtpPort }
    },
    async stop() {
      taking = false
      // What comes meanwhile is still answered: load balancers look before they stop sending.
      await sleep(config.STOP_DELAY * 1000)
      const closed = new Promise(resolve => server.close(resolve))
      changes.tell('closing', {})
      server.closeIdleConnections()
      const cutOff = setTimeout(() => server.closeAllConnections(), FINISH_REQUESTS_MS)
      await Promise.all([
        closed,
        smtp?.close(),
        goingDown.stop(),
        deliveries.stop(),
        bots.stop(),
        reports?.stop(),
        objects?.stop(),
        heartbeat?.stop(),
      ])
      clearTimeout(cutOff)
      await pings.settled()
      if (roles.has('web')) await beat.stop()
      await inside.stop()
      await store.close()
    },
  }
}
