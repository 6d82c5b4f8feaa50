import { NOT_CONFIRMED } from '../../core/alerts/delivery/unusable.js'
import { Refusal } from '../../core/errors.js'
import { integrationOf } from '../../integrations/index.js'
import { DeliveryError, type Integration, type Sent } from '../../integrations/integration.js'
import { DeadlinePassed, withDeadline } from '../../lib/http/deadline.js'
import { newUuid } from '../../lib/secrets/secrets.js'
import { isUnavailable } from '../../storage/errors.js'
import type { Store, StoreWith } from '../../storage/store.js'
import { chargeQuota } from '../alerts/charge-quota.js'
import { OUR_FAULT } from '../alerts/deliver.js'
import type { DeliverDeps } from '../alerts/deliver-deps.js'
import { limitReceiver } from '../alerts/limit-receiver.js'
import { resolveDestination } from './resolve-destination.js'
import { testAlert } from './test-alert.js'

/** What came of a test: an empty error means that it was delivered. `status` is the direction that was tried. */
export interface TestResult {
  channel: string
  kind: string
  status: 'up' | 'down'
  error: string
  durationMs: number
}

/** Somebody looks at a page that loads meanwhile: they hear within ten seconds what came of it. */
const PATIENCE_MS = 9_500

/**
 * Sends a test notification through a channel, once, and notes the attempt; through each member where the
 * channel stands for others. What has not come to an end after `withinMs` has failed. Throws a `Refusal` when the
 * channel does not exist. Source: docs/behaviour.md, section 8.6.
 */
export async function testChannel(
  deps: DeliverDeps & { store: StoreWith<'channels.find' | 'channels.noteTest'> },
  uuid: string,
  withinMs: number = PATIENCE_MS,
): Promise<TestResult[]> {
  const channel = await deps.store.channels.find(uuid)
  if (!channel) throw new Refusal('not-found', `there is no channel ${uuid}`)
  if (channel.members.length === 0) return [await sendTest(deps, channel, withinMs)]
  const members = await Promise.all(channel.members.map(member => deps.store.channels.find(member)))
  return await Promise.all(members.flatMap(member => (member ? [sendTest(deps, member, withinMs)] : [])))
}

type Found = NonNullable<Awaited<ReturnType<Store['channels']['find']>>>

async function sendTest(
  deps: DeliverDeps & { store: StoreWith<'channels.noteTest'> },
  channel: Found,
  withinMs: number,
): Promise<TestResult> {
  const integration = integrationOf(channel.kind)
  if (!integration) throw new Refusal('invalid', `this version knows no integration "${channel.kind}"`)
  const wants = (status: 'up' | 'down') => integration.wants?.(channel.settings, status) ?? true
  const status = wants('down') || !wants('up') ? 'down' : 'up'
  const startedAt = deps.clock.now()
  const uuid = newUuid()
  const attempt = (signal: AbortSignal) =>
    Promise.race([send(deps, channel, integration, { status, uuid }, signal), aborted(signal)])
  const { error, settings } = await withDeadline(withinMs, undefined, attempt).then(
    sent => ({ error: '', ...sent }),
    thrown => ({ error: errorText(deps, thrown, withinMs), ...settingsOf(thrown) }),
  )
  const durationMs = deps.clock.now() - startedAt
  const follows = await deps.store.channels.noteTest({
    channelId: channel.id,
    uuid,
    status,
    error,
    startedAt,
    durationMs,
    ...(settings ? { settings } : {}),
  })
  if (follows) deps.changes.emit('deliveries', {})
  return { channel: channel.uuid, kind: channel.kind, status, error, durationMs }
}

async function send(
  deps: DeliverDeps,
  channel: Found,
  integration: Integration,
  { status, uuid }: { status: 'up' | 'down'; uuid: string },
  signal: AbortSignal,
): Promise<Sent> {
  // The receiver sees the key, and with the UUID anyone can report that a notification failed.
  const names = { idempotencyKey: newUuid(), notificationUuid: uuid }
  const to = await resolveDestination(deps, channel, names, integration)
  if (!channel.confirmed) throw new DeliveryError(NOT_CONFIRMED)
  if ((await limitReceiver(deps, integration, channel.settings)) > 0) {
    throw new DeliveryError('Rate limit exceeded')
  }
  const over = await chargeQuota(deps, integration, channel.projectId, [])
  if (over) throw new DeliveryError(over.error)
  return (await integration.send(Object.freeze(testAlert(deps, status)), to, deps.transports(signal))) ?? {}
}

/** Rejects when the time is over, whether or not what is under way listens. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** What people are told of a failure. Throws what is no matter of the channel: the database is away. */
function errorText(deps: Pick<DeliverDeps, 'onError'>, thrown: unknown, withinMs: number): string {
  if (thrown instanceof DeliveryError) return thrown.message
  if (thrown instanceof DeadlinePassed) return `No answer within ${Math.ceil(withinMs / 1000)} s`
  if (isUnavailable(thrown)) throw thrown
  deps.onError(thrown)
  return OUR_FAULT
}

function settingsOf(thrown: unknown): Sent {
  return thrown instanceof DeliveryError ? thrown.options : {}
}
