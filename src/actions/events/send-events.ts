/** Sends the events that a webhook waits for, one after the other. Decision 0121. */
import type { Webhook } from '../../core/events/webhook.js'
import { eventShape } from '../../core/wire/event.js'
import type { DeliveryError } from '../../integrations/integration.js'
import { instant, Lease } from '../../lib/lease.js'
import type { ClaimedWebhook } from '../../storage/events/send-webhooks.js'
import type { QueuedMail } from '../../storage/people/mails.js'
import type { StoreWith } from '../../storage/store.js'
import { type PostDeps, postEvent } from './post-event.js'

/** How long a webhook belongs to this process after each request. */
export const LEASE_MS = 60_000

/** After this many events, or this long, another webhook of the project has its turn. */
const MOST_AT_ONCE = 50
const LONGEST_MS = 10_000

/** The place that a webhook's requests take, one after the other. */
export interface RequestPlace {
  /** Takes it for a request that begins now, which `cutOff` aborts. Returns false if others come first. */
  take(cutOff: (error: DeliveryError) => void): boolean
  /** Leaves it to others: the request arrived, or failed. */
  leave(arrived: boolean): void
}

const OWN_PLACE: RequestPlace = { take: () => true, leave() {} }

export interface SendEventsDeps extends PostDeps {
  store: StoreWith<
    'events.claimWebhook' | 'events.settleWebhook' | 'events.releaseWebhook' | 'events.nextEvent'
  >
  /** The e-mail when a webhook is disabled. */
  composeDisabled(webhook: Webhook, error: string): QueuedMail
}

/**
 * Sends a webhook its next events up to `final`. `worker` must be a name of this turn alone. Returns when the webhook is up
 * to date, has to wait, has had its turn, or belongs to another process. Rejects with the reason of `signal`, after the
 * webhook was given back.
 */
export async function sendEvents(
  deps: SendEventsDeps,
  id: number,
  {
    worker,
    final,
    signal,
    place = OWN_PLACE,
  }: { worker: string; final: number; signal: AbortSignal; place?: RequestPlace },
): Promise<void> {
  const { store, clock } = deps
  const claim = () => ({ worker, now: clock.now(), leaseUntil: clock.now() + LEASE_MS })
  const own = new AbortController()
  let begun = instant(clock)
  const lease = new Lease(own, clock, begun, LEASE_MS)
  let webhook = await store.events.claimWebhook(id, claim())
  const until = performance.now() + LONGEST_MS
  let passed: number | null = null
  try {
    for (let sent = 0; webhook && sent < MOST_AT_ONCE && performance.now() < until; sent++) {
      const event = await store.events.nextEvent(webhook, final)
      if (!event) {
        passed = Math.max(final, webhook.deliveredId)
        break
      }
      const body = JSON.stringify(eventShape(event, false))
      const request = { type: event.type, delivery: String(event.id), body }
      const both = AbortSignal.any([signal, own.signal])
      if (!place.take(error => own.abort(error))) break
      const result = await postEvent(deps, webhook, request, both, () => lease.check())
      place.leave(result.error === '')
      begun = instant(clock)
      const settled = { ...result, eventId: event.id, type: event.type }
      const mail = result.error === '' ? null : deps.composeDisabled(webhook, result.error)
      const next: ClaimedWebhook | null = await store.events.settleWebhook(id, claim(), settled, mail)
      lease.renew(begun, LEASE_MS)
      webhook = next
    }
  } finally {
    await store.events.releaseWebhook(id, worker, passed, clock.now())
  }
}
