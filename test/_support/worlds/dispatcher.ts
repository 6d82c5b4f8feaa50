import { deliveriesJob } from '../../../src/jobs/dispatch/deliveries.js'
import { type Clock, systemClock } from '../../../src/lib/clock.js'
import type { MailerOptions } from '../../../src/lib/mail/mailer.js'
import type { Failed } from '../../../src/storage/set-aside.js'
import { testWays } from '../alert.js'
import type { StoreHarness } from './store-harness.js'

/** A dispatcher at work on a scene's store. */
export function startDispatcher(
  scene: Pick<StoreHarness, 'store'>,
  worker = 'me',
  clock: Clock = systemClock,
  mail: MailerOptions | null = null,
) {
  const { changes } = scene.store
  const outcomes: string[] = []
  const errors: unknown[] = []
  const aside: Failed[] = []
  const job = deliveriesJob({
    store: scene.store,
    changes,
    clock,
    worker,
    site: { name: 'Punctual', root: 'http://localhost:8000' },
    links: { siteRoot: 'http://localhost:8000', pingEndpoint: 'http://localhost:8000/ping/' },
    transports: (signal, begins) =>
      testWays(mail, { totalMs: 60_000, signal, ...(begins ? { begins } : {}) }),
    statusUrl: uuid => `http://localhost:8000/status/${uuid}`,
    bounceId: uuid => `n.${uuid}`,
    answerTo: ({ uuid }, { id }) => ({
      acknowledgeUrl: `http://localhost:8000/acknowledge/${uuid}/${id}`,
      acknowledgeToken: `a:${id}`,
    }),
    answerToMessageUrl: ({ uuid }, notification) =>
      `http://localhost:8000/acknowledge/${uuid}/${notification}`,
    unsubscribeUrl: uuid => `http://localhost:8000/unsubscribe/${uuid}`,
    bodies: null,
    quotas: { messages: 500, calls: 500 },
    sendsMail: false,
    operator: {},
    onDelivery: event => outcomes.push(event.outcome),
    onError: error => errors.push(error),
    onSetAside: failed => aside.push(failed),
  })
  job.start()
  return {
    outcomes,
    errors,
    aside,
    setAside: job.setAside,
    stop: job.stop,
    wake: () => changes.emit('deliveries', {}),
  }
}

export type Dispatcher = ReturnType<typeof startDispatcher>
