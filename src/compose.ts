/** Puts the program together. Only this file and src/compose/ do so. */
import { hostname } from 'node:os'
import { versions } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DeliverDeps } from './actions/alerts/deliver.js'
import type { BounceEvent } from './actions/alerts/note-bounce.js'
import { EventFeed } from './actions/events/event-feed.js'
import { recomputeDueTimes } from './actions/instance/recompute-due-times.js'
import type { SendQueuedMailDeps } from './actions/people/mail/send-queued-mail.js'
import { PingQueue } from './actions/pings/record-pings.js'
import { createDeliveryDeps, createProcessTransports } from './compose/delivery.js'
import { processMetrics } from './compose/metrics.js'
import { metricsServer } from './compose/metrics-server.js'
import { openObjectStorage } from './compose/object-storage.js'
import { errorReporter } from './compose/report-errors.js'
import { retryWhileUnavailable } from './compose/retry-while-unavailable.js'
import { createSmtpListener } from './compose/smtp-listener.js'
import { openStore } from './compose/store.js'
import { createWeb } from './compose/web.js'
import { createWorker } from './compose/worker.js'
import type { Config } from './config.js'
import { zoneDataVersion } from './core/schedule/index.js'
import { createProbes } from './http/probes.js'
import { beatJob } from './jobs/beat.js'
import { FailureReports } from './jobs/failure-reports.js'
import { createStampSource, systemClock } from './lib/clock.js'
import { createProxyWarning } from './lib/http/proxy-warning.js'
import type { Log } from './lib/log/log.js'
import { createSecurityLog } from './lib/log/security-log.js'
import { newToken } from './lib/secrets/secrets.js'
import { newWorkerName } from './lib/worker-name.js'
import type { Store } from './storage/store.js'

export interface Punctual {
  store: Store
  /**
   * Starts its roles. Resolves with the site's address and the ports for requests and for e-mail (null: none).
   * Rejects if it cannot listen or start, and then leaves nothing open.
   */
  start(): Promise<{ url: string; port: number | null; smtpPort: number | null }>
  /**
   * Stops accepting requests, records the pings under way, and finishes or releases
   * deliveries. Takes seconds at most.
   */
  stop(): Promise<void>
}

/** `web` accepts pings and requests; `worker` watches for silence and sends alerts. */
export type Role = 'web' | 'worker'

/** A start that meets a locked database tries again; while it waits, it hears no signal. */
const BUSY_MS = 500

/**
 * The program on its database, which is created if it is missing; not listening yet. Several processes can share one
 * PostgreSQL database; each may have either role or both. `onMove` is called when it has to be stopped and composed anew, because the
 * tables of its database move.
 */
export async function compose(
  config: Config,
  log: Log,
  roles: ReadonlySet<Role> = new Set(['web', 'worker']),
  onMove?: () => void,
): Promise<Punctual> {
  const store = await openStore(config, {
    create: true,
    busyMs: BUSY_MS,
    ...(onMove && { onMove }),
    onDamage: commits =>
      log.error('the database lost its newest commits: its write-ahead log was damaged', { commits }),
  })
  try {
    return await composeOn(store, config, log, roles)
  } catch (error) {
    await store.close()
    throw error
  }
}

async function composeOn(
  store: Store,
  config: Config,
  log: Log,
  roles: ReadonlySet<Role>,
): Promise<Punctual> {
  const clock = systemClock
  const { changes } = store
  const process = `${hostname()} ${newToken().slice(0, 8)}`
  const onError = errorReporter(log, clock)
  const onBug = (message: string) => log.error('unexpected error in the rules of a check', { message })

  const metrics = processMetrics(config.METRICS_KEY !== '' || config.METRICS_PORT !== null)
  const pings = new PingQueue(store, changes, onBug, metrics.noteBatch)
  const onFailing = (trouble: object) => log.error('nothing has gone out for minutes', { ...trouble })
  const failures = new FailureReports(clock, onFailing)
  const onDelivery: DeliverDeps['onDelivery'] = ({ isDropped = false, ...event }) => {
    metrics.noteDelivery({ ...event, isDropped })
    failures.noteDelivery(event.channel, event)
    // If nothing was delivered for a day, the operator has to look into it. Nothing is sent to a disabled channel any more.
    const level = event.unreachable ? 'error' : event.outcome === 'disable' ? 'warn' : 'info'
    log[level]('delivery', { ...event })
  }
  const onMail: SendQueuedMailDeps['onMail'] = event => {
    metrics.noteMail(event)
    failures.noteMail(event)
    // The person never gets what is given up.
    const level = event.outcome === 'gave-up' ? 'warn' : 'info'
    log[level]('mail', { ...event })
  }
  const storage = await openObjectStorage(config, store, log, onError)
  const { bodies, objects } = storage
  const transports = createProcessTransports(config)
  const { mailer } = transports
  const { noteHeld: onHeld } = metrics
  const deliveryParts = { store, worker: newWorkerName(), bodies, onDelivery, onHeld, onError }
  const delivery = createDeliveryDeps(config, transports, deliveryParts)

  let isAccepting = true
  let hasStarted = false
  const probeParts = {
    store,
    pings,
    clock,
    isAccepting: () => isAccepting,
    hasStarted: () => hasStarted,
    metrics: () =>
      metrics.text(store, pings, { pingsReached: worker.pingsReached(), setAside: worker.setAside() }),
  }
  const metricsListener = metricsServer(config, createProbes(probeParts, config.METRICS_KEY || null))
  const probes = createProbes(probeParts, config.METRICS_KEY)
  const noteSecurity = createSecurityLog(log, clock)
  const onUntrustedProxy = createProxyWarning(log)
  const onBounce = (event: BounceEvent) =>
    log[event.unreachable ? 'error' : 'warn']('an e-mail came back', { ...event })
  const webParts = { noteSecurity, onUntrustedProxy, onBounce, onError }
  const events = new EventFeed({ store, changes, onError })
  const app = { store, clock, pings, changes, events, delivery, mailer, bodies, ...webParts }
  const web = createWeb(config, { ...app, probes })
  const takesMail = roles.has('web') && config.SMTPD_PORT !== null
  const smtp = takesMail
    ? await createSmtpListener(config, { store, pings, stamp: createStampSource(clock), log, onError })
    : null
  const onOutage = (outage: object) => log.warn('pings could not be taken for a while', { ...outage })
  const watches = roles.has('worker')
  const beat = beatJob({ store, pings, changes, clock, process, watches, onOutage, onError })
  const own = roles.has('web') ? { process, pings } : null
  const workerParts = {
    store,
    clock,
    own,
    changes,
    events,
    delivery,
    mailer,
    transports,
    objects,
    log,
    onMail,
    onBug,
    onError,
  }
  const worker = createWorker(config, workerParts)

  async function begin() {
    const port = roles.has('web') ? await web.listen() : null
    const smtpPort = smtp && (await smtp.listen(config.SMTPD_PORT!, config.SMTPD_HOST))
    await metricsListener.start()
    noteSecurity('started', accessSettings(config))
    const recomputed = await retryWhileUnavailable(
      async () => {
        // An outage before this start is stored before deadlines are judged.
        if (roles.has('web')) await beat.start()
        return await recomputeDueTimes(store, zoneDataVersion(versions.tz ?? ''))
      },
      { onUnavailable, isEnding: () => !isAccepting },
    )
    if (recomputed === null) return { url: config.SITE_ROOT, port, smtpPort }
    if (recomputed > 0) log.info('due times follow new zone data', { checks: recomputed })
    if (watches) worker.start()
    hasStarted = true
    return { url: config.SITE_ROOT, port, smtpPort }
  }

  /** Until the database takes the writes of the start, pings that arrive are missed. */
  function onUnavailable(error: unknown) {
    if (roles.has('web')) pings.hearing.failed(clock.now())
    onError(error)
  }

  /** Ends the parts that have started. */
  async function end() {
    pings.hearing.close(clock.now())
    await Promise.all([web.close(), smtp?.close(), worker.stop()])
    await pings.settled()
    pings.refuseLocked()
    await beat.stop()
    await metricsListener.stop()
    await storage.close()
    await store.close()
  }

  return {
    store,
    start: () =>
      begin().catch(async error => {
        await end().catch(onError)
        throw error
      }),
    async stop() {
      isAccepting = false
      web.drain()
      // Requests are still answered for a while: load balancers need time to notice.
      await sleep(config.STOP_DELAY * 1000)
      await end()
    },
  }
}

/** The settings that decide who and what may connect, for the security log. */
function accessSettings(config: Config) {
  return {
    registrationOpen: config.REGISTRATION_OPEN,
    privateAddresses: config.INTEGRATIONS_ALLOW_PRIVATE_IPS,
    remoteUserHeader: config.REMOTE_USER_HEADER !== '',
    openId: config.OPENID_ISSUER !== '',
    shellCommands: config.operator.SHELL_ENABLED === 'true',
  }
}
