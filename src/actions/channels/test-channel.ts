import { NOT_CONFIRMED } from '../../core/alerts/delivery/unusable.js'
import { Refusal } from '../../core/errors.js'
import { integrationOf } from '../../integrations/index.js'
import { DeliveryError, type Integration, type Sent } from '../../integrations/integration.js'
import { DeadlinePassed, withDeadline } from '../../lib/http/deadline.js'
import { newUuid } from '../../lib/secrets/secrets.js'
import { isUnavailable } from '../../storage/errors.js'
import type { Store, StoreWith } from '../../storage/store.js'
import { type ChargeDeps, chargeQuota, giveBackQuota } from '../alerts/charge-quota.js'
import { type DeliverDeps, OUR_FAULT } from '../alerts/deliver.js'
import { limitReceiver } from '../alerts/limit-receiver.js'
import { composeTestAlert } from './compose-test-alert.js'
import { resolveDestination } from './resolve-destination.js'

export interface TestDeps extends DeliverDeps, ChargeDeps {
  store: DeliverDeps['store'] &
    ChargeDeps['store'] &
    StoreWith<'channels.find' | 'channels.noteTest' | 'alerts.takeFromLimits'>
}

/** The result of a test; `error` is empty if it was delivered. `status` says which alert was sent. */
export interface TestResult {
  channel: string
  kind: string
  status: 'up' | 'down'
  error: string
  durationMs: number
}

/** A person waits for the page, so the result is due within ten seconds. */
const TEST_TIMEOUT_MS = 9_500

/**
 * Sends one test notification through a channel, or through each member of a group, and records the attempt. An
 * attempt that takes longer than `withinMs` has failed. Throws a `Refusal` if the channel does not exist. Source:
 * docs/behaviour.md, section 8.6.
 */
export async function testChannel(
  deps: TestDeps,
  uuid: string,
  withinMs: number = TEST_TIMEOUT_MS,
): Promise<TestResult[]> {
  const channel = await deps.store.channels.find(uuid)
  if (!channel) throw new Refusal('not-found', `there is no channel ${uuid}`)
  if (channel.members.length === 0) return [await sendTest(deps, channel, withinMs)]
  const members = await Promise.all(channel.members.map(member => deps.store.channels.find(member)))
  return await Promise.all(members.flatMap(member => (member ? [sendTest(deps, member, withinMs)] : [])))
}

type Found = NonNullable<Awaited<ReturnType<Store['channels']['find']>>>

/** What a test is sent to: a stored channel, or one that is being filled in. */
type Target = Pick<Found, 'uuid' | 'kind' | 'name' | 'settings' | 'confirmed' | 'projectId'>

async function sendTest(deps: TestDeps, channel: Found, withinMs: number): Promise<TestResult> {
  const { uuid, startedAt, settings, ...result } = await attemptTest(deps, channel, withinMs)
  await deps.store.channels.noteTest({
    channelId: channel.id,
    uuid,
    status: result.status,
    error: result.error,
    startedAt,
    durationMs: result.durationMs,
    ...(settings ? { settings: { found: settings, sentWith: channel.settings } } : {}),
  })
  return result
}

/**
 * Sends one test notification to `target` and records nothing; limits and quotas count it. `settings`: those that sending found.
 * Throws a `Refusal` for an unknown kind.
 */
export async function attemptTest(
  deps: TestDeps,
  target: Target,
  withinMs: number = TEST_TIMEOUT_MS,
): Promise<TestResult & Sent & { uuid: string; startedAt: number }> {
  const integration = integrationOf(target.kind)
  if (!integration) throw new Refusal('invalid', `this version knows no integration "${target.kind}"`)
  const wants = (status: 'up' | 'down') => integration.wants?.(target.settings, status) ?? true
  const status = wants('down') || !wants('up') ? 'down' : 'up'
  const startedAt = deps.clock.now()
  const uuid = newUuid()
  const attempt = (signal: AbortSignal) =>
    Promise.race([send(deps, target, integration, { status, uuid }, signal), aborted(signal)])
  const { error, settings } = await withDeadline(withinMs, undefined, attempt).then(
    sent => ({ error: '', ...sent }),
    thrown => ({ error: errorText(deps, thrown, withinMs), ...settingsOf(thrown) }),
  )
  const durationMs = deps.clock.now() - startedAt
  return {
    channel: target.uuid,
    kind: target.kind,
    status,
    error,
    durationMs,
    uuid,
    startedAt,
    ...(settings ? { settings } : {}),
  }
}

async function send(
  deps: TestDeps,
  target: Target,
  integration: Integration,
  { status, uuid }: { status: 'up' | 'down'; uuid: string },
  signal: AbortSignal,
): Promise<Sent> {
  const names = { idempotencyKey: newUuid(), notificationUuid: uuid }
  const to = await resolveDestination(deps, target, names, integration)
  if (!target.confirmed) throw new DeliveryError(NOT_CONFIRMED)
  if ((await limitReceiver(deps, integration, target.settings)) > 0) {
    throw new DeliveryError('Rate limit exceeded')
  }
  const takenAt = deps.clock.now()
  const over = await chargeQuota(deps, integration, target.projectId)
  if (over !== '') throw new DeliveryError(over)
  let begun = false
  const transports = deps.transports(signal, () => {
    begun = true
  })
  try {
    return (await integration.send(Object.freeze(composeTestAlert(deps, status)), to, transports)) ?? {}
  } catch (error) {
    if (!begun || isRefused(error)) await giveBackQuota(deps, integration, target.projectId, takenAt)
    throw error
  }
}

/** Whether the receiver said that it did not accept the message. If it did not answer, that may have arrived. */
function isRefused(error: unknown): boolean {
  return error instanceof DeliveryError && Boolean(error.options.answered || error.options.permanent)
}

/** Rejects when the signal aborts, even if the work in progress ignores it. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** The error for users. Rethrows errors that do not concern the channel, such as an unavailable database. */
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
