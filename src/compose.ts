/** Wires everything; with src/compose/ the only place that does. */
import { hostname } from 'node:os'
import { versions } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DeliverDeps } from './actions/alerts/deliver.js'
import { recomputeDueTimes } from './actions/instance/recompute-due-times.js'
import type { SendMailsDeps } from './actions/people/mail/send-mails.js'
import { PingQueue } from './actions/pings/record-pings.js'
import { deliveryOf, outletsOf } from './compose/delivery.js'
import { smtpOf } from './compose/mail-in.js'
import { processMetrics } from './compose/metrics.js'
import { metricsServer } from './compose/metrics-server.js'
import { objectStorageOf } from './compose/object-storage.js'
import { errorReporter } from './compose/report-errors.js'
import { openStore } from './compose/store.js'
import { webOf } from './compose/web.js'
import { whenRoom } from './compose/when-room.js'
import { workerOf } from './compose/worker.js'
import type { Config } from './config.js'
import { zoneDataVersion } from './core/schedule/index.js'
import { createProbes } from './http/probes.js'
import { beatJob } from './jobs/beat.js'
import { SendingHealth } from './jobs/sending-health.js'
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
   * Does what its roles are. Resolves with the site's address and the ports listened on, for requests and for mail
   * (null: on none). Rejects when it cannot listen or begin, and then leaves nothing open.
   */
  start(): Promise<{ url: string; port: number | null; smtpPort: number | null }>
  /** Stops accepting, commits what is in hand, finishes or gives back deliveries. Takes seconds at most. */
  stop(): Promise<void>
}

/** `web` takes pings and requests, `worker` notices silence and delivers. */
export type Role = 'web' | 'worker'

/**
 * The program on its database, which is made where it is missing; not yet listening. Of any number of processes
 * on one PostgreSQL each may have either role or both.
 */
export async function compose(
  config: Config,
  log: Log,
  roles: ReadonlySet<Role> = new Set(['web', 'worker']),
): Promise<Punctual> {
  const store = await openStore(config, {
    create: true,
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
  const onLong = (trouble: object) => log.error('nothing has gone out for minutes', { ...trouble })
  const sending = new SendingHealth(clock, onLong)
  const onDelivery: DeliverDeps['onDelivery'] = event => {
    metrics.noteDelivery(event)
    sending.noteDelivery(event.channel, event)
    // What cannot be delivered for a day needs somebody to look at it.
    const level = event.unreachable ? 'error' : 'info'
    log[level]('delivery', { ...event })
  }
  const onMail: SendMailsDeps['onMail'] = event => {
    metrics.noteMail(event)
    sending.noteMail(event)
    log.info('mail', { ...event })
  }
  const storage = await objectStorageOf(config, store, log, onError)
  const { bodies, objects } = storage
  const outlets = outletsOf(config)
  const { mailer } = outlets
  const toDeliver = { store, changes, worker: newWorkerName(), bodies, onDelivery, onError }
  const delivery = deliveryOf(config, outlets, toDeliver)

  let taking = true
  const probed = {
    store,
    pings,
    clock,
    isTaking: () => taking,
    metrics: () => metrics.text(store, pings, worker.pingsReached()),
  }
  const inside = metricsServer(config, createProbes(probed, config.METRICS_KEY || null))
  const probes = createProbes(probed, config.METRICS_KEY)
  const noteSecurity = createSecurityLog(log, clock)
  const onUntrustedProxy = createProxyWarning(log)
  const toPeople = { noteSecurity, onUntrustedProxy, onError }
  const app = { store, clock, pings, changes, delivery, mailer, bodies, ...toPeople }
  const web = webOf(config, { ...app, probes })
  const takesMail = roles.has('web') && config.SMTPD_PORT !== null
  const smtp = takesMail
    ? await smtpOf(config, { store, pings, stamp: createStampSource(clock), log, onError })
    : null
  const onOutage = (outage: object) => log.warn('pings could not be taken for a while', { ...outage })
  const watches = roles.has('worker')
  const beat = beatJob({ store, pings, changes, clock, process, watches, onOutage, onError })
  const own = roles.has('web') ? { process, pings } : null
  const loops = {
    store,
    clock,
    own,
    changes,
    delivery,
    mailer,
    objects,
    log,
    sending,
    onMail,
    onBug,
    onError,
  }
  const worker = workerOf(config, loops)

  async function begin() {
    const port = roles.has('web') ? await web.listen() : null
    const smtpPort = smtp && (await smtp.listen(config.SMTPD_PORT!, config.SMTPD_HOST))
    await inside.start()
    noteSecurity('started', openings(config))
    const recomputed = await whenRoom(
      async () => {
        // An absence before this start is on record before silence is judged.
        if (roles.has('web')) await beat.start()
        return await recomputeDueTimes(store, zoneDataVersion(versions.tz ?? ''))
      },
      { onFull, isEnding: () => !taking },
    )
    if (recomputed === null) return { url: config.SITE_ROOT, port, smtpPort }
    if (recomputed > 0) log.info('due times follow new zone data', { checks: recomputed })
    if (watches) worker.start()
    return { url: config.SITE_ROOT, port, smtpPort }
  }

  /** It is not ready until there is room; the pings that come until then are missed. */
  function onFull(error: unknown) {
    if (roles.has('web')) pings.failed(clock.now())
    onError(error)
  }

  /** Ends what has begun; what has not is left alone. */
  async function end() {
    pings.close(clock.now())
    await Promise.all([web.close(), smtp?.close(), worker.stop()])
    await pings.settled()
    await beat.stop()
    await inside.stop()
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
      taking = false
      web.drain()
      // What comes meanwhile is still answered: load balancers look before they stop sending.
      await sleep(config.STOP_DELAY * 1000)
      await end()
    },
  }
}

/** The settings that let people in or out, for the security log. */
function openings(config: Config) {
  return {
    registrationOpen: config.REGISTRATION_OPEN,
    privateAddresses: config.INTEGRATIONS_ALLOW_PRIVATE_IPS,
    remoteUserHeader: config.REMOTE_USER_HEADER !== '',
    openId: config.OPENID_ISSUER !== '',
    shellCommands: config.operator.SHELL_ENABLED === 'true',
  }
}
