import type { DeliverDeps } from '../actions/alerts/deliver.js'
import type { OwnPings } from '../actions/alerts/take-messages.js'
import { composeWebhookDisabled } from '../actions/events/compose-webhook-disabled.js'
import type { EventFeed } from '../actions/events/event-feed.js'
import type { SendQueuedMailDeps } from '../actions/people/mail/send-queued-mail.js'
import type { Config } from '../config.js'
import type { ProcessTransports } from '../integrations/create-transports.js'
import { integrations } from '../integrations/index.js'
import { dependenciesJob } from '../jobs/dependencies.js'
import { deliveriesJob } from '../jobs/dispatch/deliveries.js'
import { eventWebhooksJob } from '../jobs/dispatch/event-webhooks.js'
import { mailsJob } from '../jobs/dispatch/mails.js'
import { escalationJob } from '../jobs/escalation.js'
import { finishDeletionsJob } from '../jobs/finish-deletions.js'
import { followUpsJob } from '../jobs/follow-ups.js'
import { type GoingDownDeps, goingDownJob } from '../jobs/going-down.js'
import { hearBotsJob } from '../jobs/hear-bots.js'
import type { objectsJob } from '../jobs/objects.js'
import { plansJob } from '../jobs/plans.js'
import { pruneIncidentsJob } from '../jobs/prune-incidents.js'
import { reportsJob } from '../jobs/reports.js'
import type { Log } from '../lib/log/log.js'
import type { Mailer } from '../lib/mail/mailer.js'
import { secretKeysOf } from '../lib/secrets/secret-key.js'
import type { Failed } from '../storage/set-aside.js'
import type { Store } from '../storage/store.js'
import { createCanary } from './canary.js'
import { createConfigFolder } from './config-folder.js'
import { createHeartbeat } from './heartbeat.js'

/**
 * The loops of the role `worker`: they watch for silence, send alerts and reports, follow policies, and maintain object
 * storage. Not started yet.
 */
export function createWorker(
  config: Config,
  parts: Omit<GoingDownDeps, 'onUnheard' | 'onSetAside'> & {
    store: Store
    own: OwnPings | null
    events: EventFeed
    delivery: DeliverDeps & { store: Store }
    mailer: Mailer | null
    transports: ProcessTransports
    objects: ReturnType<typeof objectsJob> | null
    log: Log
    onMail: SendQueuedMailDeps['onMail']
  },
) {
  const { store, clock, delivery, mailer, log, onError } = parts
  const onSetAside = ({ what, id, error, pauseMs }: Failed) =>
    log.error('alerts, e-mails or a deletion wait: a row cannot be written or read', {
      [what]: id,
      error,
      pauseMs,
    })
  const goingDown = goingDownJob({
    ...parts,
    onSetAside,
    onUnheard(since) {
      if (since === null) log.info('silence is judged again')
      else
        log.warn('silence cannot be judged: it is not known whether all pings are recorded', {
          since: new Date(since).toISOString(),
        })
    },
  })
  const deliveries = deliveriesJob({ ...delivery, clock, own: parts.own, changes: store.changes, onSetAside })
  const escalation = escalationJob({ store, clock, onSetAside, onError })
  const mails =
    mailer &&
    mailsJob({
      ...delivery,
      mailer,
      secretKey: config.SECRET_KEY,
      hearsBounces: config.EMAIL_MAIL_FROM_TMPL !== '',
      onMail: parts.onMail,
      onSetAside,
    })
  const reports = mailer && reportsJob({ ...delivery, secretKey: config.SECRET_KEY, onSetAside })
  const deletions = finishDeletionsJob({ store, clock, onSetAside, onError })
  const setAside = () =>
    [goingDown, deliveries, escalation, mails, reports, deletions].reduce(
      (sum, job) => sum + (job?.setAside() ?? 0),
      0,
    )
  const bots = hearBotsJob({
    integrations,
    store,
    clock,
    secretKey: config.SECRET_KEY,
    secretKeys: secretKeysOf(config),
    siteRoot: config.SITE_ROOT,
    operator: config.operator,
    transports: delivery.transports,
    onTrouble: trouble => log.warn('a bot cannot be asked what was said to it', { ...trouble }),
    onError,
  })
  const canary = createCanary(config, store, log, mailer, onError)
  const jobs = [
    goingDown,
    deliveries,
    escalation,
    followUpsJob({ store, clock, onError }),
    dependenciesJob({ store, clock, onError }),
    plansJob({
      store,
      clock,
      onDropped: dropped => log.warn('a planned change was not carried out', { ...dropped }),
      onError,
    }),
    reports,
    mails,
    eventWebhooksJob({
      store,
      events: parts.events,
      transports: delivery.transports,
      secretKeys: secretKeysOf(config),
      clock,
      changes: store.changes,
      worker: delivery.worker,
      composeDisabled: (webhook, error) => composeWebhookDisabled(delivery.site, webhook, error),
      onError,
    }),
    bots,
    parts.objects,
    deletions,
    pruneIncidentsJob({ store, clock, onError }, config.INCIDENT_DAYS),
    canary,
    createConfigFolder(config, parts),
    createHeartbeat(config, store, log, {
      progress: () => [goingDown.looks(), deliveries.looks()],
      pingTrouble: () => canary?.trouble() ?? null,
      setAside,
    }),
  ].filter(job => job !== null)
  let running: typeof jobs = []
  return {
    /** Whether the canary's newest request succeeded; null before the first. */
    pingsReached: () => canary?.reached() ?? null,
    /** The number of things that wait because a row of theirs cannot be written or read: see `Failed`. */
    setAside,
    start() {
      running = jobs
      for (const job of running) job.start()
    },
    /** Resolves when everything under way is done or released. */
    async stop() {
      await Promise.all(running.map(job => job.stop()))
    },
  }
}
