/** Event webhooks with their secrets, and their tests. Decision 0121. */
import { randomUUID } from 'node:crypto'
import { isoMilliseconds } from '../../core/wire/timestamp.js'
import { newWebhookSecret, sealWebhookSecret } from '../../lib/secrets/webhook-secret.js'
import type { AskedWebhook } from '../../storage/events/webhooks.js'
import type { KnownAuthor } from '../../storage/projects/lock-author.js'
import type { StoreWith } from '../../storage/store.js'
import { type PostDeps, type PostResult, postEvent } from './post-event.js'

interface Acting {
  projectId: number
  by: KnownAuthor
  /** ms UTC. */
  now: number
}

/** Creates a webhook. Returns its UUID, and its secret, which is shown once. Throws as `store.events.createWebhook`. */
export async function createEventWebhook(
  store: StoreWith<'events.createWebhook'>,
  secretKey: string,
  { projectId, by, now }: Acting,
  asked: AskedWebhook,
): Promise<{ uuid: string; secret: string }> {
  const [uuid, secret] = [randomUUID(), newWebhookSecret()]
  const sealed = sealWebhookSecret(secretKey, uuid, secret)
  await store.events.createWebhook(projectId, { ...asked, uuid, secret: sealed, by, now })
  return { uuid, secret }
}

/** Gives a webhook another secret, which is shown once. Throws as `store.events.updateWebhook`. */
export async function rotateEventWebhookSecret(
  store: StoreWith<'events.updateWebhook'>,
  secretKey: string,
  { projectId, by, now }: Acting,
  uuid: string,
): Promise<{ secret: string }> {
  const secret = newWebhookSecret()
  const sealed = sealWebhookSecret(secretKey, uuid, secret)
  await store.events.updateWebhook(projectId, uuid, { secret: sealed, by, now })
  return { secret }
}

/** Sends a test, signed as events are, and waits for the answer. Throws `Refusal('not-found')`. */
export async function testEventWebhook(
  store: StoreWith<'events.webhook' | 'events.noteWebhookTest'>,
  posting: PostDeps,
  projectId: number,
  uuid: string,
): Promise<PostResult> {
  const webhook = await store.events.webhook(projectId, uuid)
  const body = JSON.stringify({ type: 'test', at: isoMilliseconds(posting.clock.now()) })
  const event = { type: 'test', delivery: randomUUID(), body }
  const result = await postEvent(posting, webhook, event, new AbortController().signal)
  await store.events.noteWebhookTest(webhook.id, { ...result, type: 'test' })
  return result
}
