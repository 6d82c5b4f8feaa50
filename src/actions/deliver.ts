/** One attempt at one delivery: from the claimed row to what its outcome writes. */
import type { Notice, Site } from '../core/alert.js'
import { afterFlapping, isFlapping, newsOf } from '../core/noise.js'
import { nextAttemptAt } from '../core/retry.js'
import type { WireView } from '../core/wire/version.js'
import { mayGroup } from '../integrations/common-fields.js'
import { integrationOf } from '../integrations/index.js'
import {
  DeliveryError,
  type Destination,
  type Integration,
  type Sent,
  type Ways,
} from '../integrations/integration.js'
import type { Changes } from '../lib/changes.js'
import type { ClaimedDelivery } from '../storage/deliveries.js'
import type { Settlement } from '../storage/settle-delivery.js'
import type { Store } from '../storage/store.js'
import type { BodyStore } from './body-store.js'
import { chargeQuota, type OverQuota, type QuotaDeps } from './charge-quota.js'
import { composeAlert } from './compose-alert.js'
import { disabledNotice } from './disabled-notice.js'
import { flappingNotice } from './flapping-notice.js'
import { receiverWait } from './receiver-wait.js'

export interface DeliverDeps extends QuotaDeps {
  store: QuotaDeps['store'] &
    Pick<Store, 'alertFacts' | 'projectFacts' | 'settleDelivery' | 'takeFromLimits' | 'recipientFacts'>
  changes: Changes
  worker: string
  site: Site
  /** The ways out; what they began ends when `signal` aborts. */
  ways(signal: AbortSignal): Ways
  links: Pick<WireView, 'siteRoot' | 'pingEndpoint'>
  /** Where a recipient stops the messages of a channel. */
  unsubscribeUrl(channelUuid: string): string
  /** What names an attempt towards a bounce. */
  bounceId(notificationUuid: string): string
  /** Where bodies lie that are not in the database; null where all are. */
  bodies: BodyStore | null
  /** The operator's settings, by name. */
  operator: Readonly<Record<string, string>>
  /** Called with what an attempt failed of where that was no fault of the receiver's. */
  onError(error: unknown): void
  /** One line an attempt, for the log. */
  onDelivery(event: {
    channel: string
    kind: string
    outcome: string
    /** How many alerts a message told of, where it was not one. */
    alerts?: number
    error?: string
    durationMs: number
    /** Since there was something to tell. */
    lagMs: number
  }): void
}

/** What is wrong with a channel whose recipient has not agreed. Source: section 8.7 of the behaviour. */
export const NOT_CONFIRMED = 'Email not verified'

/** What people are told of an attempt that failed through a bug; the log has the rest. */
export const OUR_FAULT = 'Something went wrong in Punctual itself; its log says what'

type Outcome = Settlement['outcome']

/**
 * Makes one attempt and settles it. Returns what came of it; null when `signal` cut it off. Rejects only when the
 * database fails; then the claim runs out.
 */
export async function deliver(
  deps: DeliverDeps,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Outcome | null> {
  const startedAt = deps.clock.now()
  const outcome = judge(delivery) ?? (await attempt(deps, delivery, signal))
  if (signal.aborted) return null
  await settle(deps, delivery, startedAt, outcome)
  return outcome
}

/** Writes what came of an attempt, and tells the log. */
export async function settle(
  deps: Pick<DeliverDeps, 'store' | 'clock' | 'worker' | 'changes' | 'onDelivery'>,
  delivery: ClaimedDelivery,
  startedAt: number,
  outcome: Outcome,
): Promise<void> {
  const now = deps.clock.now()
  await deps.store.settleDelivery({
    worker: deps.worker,
    deliveryUuid: delivery.uuid,
    notificationUuid: delivery.notificationUuid,
    startedAt,
    durationMs: now - startedAt,
    now,
    outcome,
  })
  deps.onDelivery({
    channel: delivery.channel.uuid,
    kind: delivery.channel.kind,
    outcome: outcome.type,
    durationMs: now - startedAt,
    lagMs: now - delivery.createdAt,
    ...('error' in outcome ? { error: outcome.error } : {}),
  })
  if (outcome.type === 'disable' || outcome.type === 'superseded') deps.changes.tell('deliveries', {})
}

/** What becomes of a delivery without an attempt; null where there is something to send. */
export function judge({ channel, flip, newer }: ClaimedDelivery): Outcome | null {
  const integration = integrationOf(channel.kind)
  if (!integration) return { type: 'gave-up', error: `This version knows no integration "${channel.kind}"` }
  if (channel.disabled) return { type: 'gave-up', error: 'The integration is disabled' }
  if (!channel.confirmed) return { type: 'gave-up', error: NOT_CONFIRMED }
  const wants = (status: string) =>
    integration.wants?.(channel.settings, status === 'down' ? 'down' : 'up') ?? true
  if (flip && !wants(flip.newStatus)) return { type: 'unwanted' }
  return newer.some(({ status }) => wants(status)) ? { type: 'superseded' } : null
}

async function attempt(deps: DeliverDeps, delivery: ClaimedDelivery, signal: AbortSignal): Promise<Outcome> {
  const integration = integrationOf(delivery.channel.kind)!
  try {
    const waitMs = await receiverWait(deps, integration, delivery.channel.settings)
    if (waitMs > 0) return { type: 'wait', dueAt: deps.clock.now() + waitMs }
    const over = await charge(deps, delivery, integration)
    if (over) return { type: 'gave-up', error: over.error, ...(over.mail ? { mail: over.mail } : {}) }
    const sent = await send(deps, delivery, integration, signal)
    return sent ? { type: 'sent', news: newsOf([delivery]), ...sent } : { type: 'unwanted' }
  } catch (error) {
    // Cut off by a stop: what came of it is not known, so nothing is settled.
    if (signal.aborted) return { type: 'unwanted' }
    return failure(deps, delivery, integration, error)
  }
}

/** A message is counted with its first attempt. */
async function charge(
  deps: DeliverDeps,
  { attempts, channel, flipId }: ClaimedDelivery,
  integration: Integration,
): Promise<OverQuota | null> {
  if (attempts > 0) return null
  return await chargeQuota(deps, integration, channel.projectId, flipId === null ? [] : [flipId])
}

/** Returns null when there is nothing to say any more, or the kind does not tell of such things. */
async function send(
  deps: DeliverDeps,
  delivery: ClaimedDelivery,
  integration: Integration,
  signal: AbortSignal,
): Promise<(Sent & { flapping?: 'begun' | 'over' }) | null> {
  const { uuid: idempotencyKey, notificationUuid } = delivery
  const to = await destinationOf(deps, delivery.channel, { idempotencyKey, notificationUuid }, integration)
  const ways = deps.ways(signal)
  const now = deps.clock.now()
  const notify = async (notice: Omit<Notice, 'now' | 'site'>) =>
    (await integration.notify?.({ ...notice, now, site: deps.site }, to, ways)) ?? {}
  if (delivery.notice) return integration.notify ? await notify(delivery.notice) : null
  const grouped = mayGroup(integration, delivery.channel.settings)
  const after = grouped ? flappingOf(delivery, now) : 'calm'
  const composed = await composeAlert(deps, delivery, after === 'steady')
  if (!composed) return null
  const { alert, changes } = composed
  if (grouped && after === 'calm' && isFlapping(changes, now)) {
    return { ...(await notify(flappingNotice(alert, changes))), flapping: 'begun' }
  }
  const sent = (await integration.send(alert, to, ways)) ?? {}
  return after === 'steady' ? { ...sent, flapping: 'over' } : sent
}

function flappingOf({ flapping, flip, newer }: ClaimedDelivery, now: number) {
  const changedAt = flip?.createdAt ?? now
  return afterFlapping(flapping, changedAt, newer.at(-1)?.at ?? changedAt, now).state
}

/** Where a message goes, with all the integration may know of it. */
export async function destinationOf(
  deps: Pick<DeliverDeps, 'store' | 'unsubscribeUrl' | 'bounceId' | 'operator' | 'site'>,
  channel: { uuid: string; name: string; settings: Record<string, string> },
  attempt: { idempotencyKey: string; notificationUuid: string },
  integration: Integration,
): Promise<Destination> {
  const address = integration.recipient?.(channel.settings)
  const known = address === undefined ? null : await deps.store.recipientFacts(channel.uuid, address)
  const names = integration.operatorSettings?.map(setting => setting.name) ?? []
  return {
    uuid: channel.uuid,
    name: channel.name,
    settings: channel.settings,
    idempotencyKey: attempt.idempotencyKey,
    unsubscribeUrl: deps.unsubscribeUrl(channel.uuid),
    statusUrl: `${deps.site.root}/api/v3/notifications/${attempt.notificationUuid}/status`,
    ...(known ? { bounceId: deps.bounceId(attempt.notificationUuid) } : {}),
    ...(known?.timeZone ? { timeZone: known.timeZone } : {}),
    ...(known?.projects ? { projects: known.projects } : {}),
    operator: Object.fromEntries(names.map(name => [name, deps.operator[name] ?? ''])),
  }
}

/** What becomes of a delivery whose attempt failed so. */
export function failure(
  deps: DeliverDeps,
  delivery: ClaimedDelivery,
  integration: Integration,
  thrown: unknown,
): Outcome {
  const expected = thrown instanceof DeliveryError
  if (!expected) deps.onError(thrown)
  const error = expected ? thrown.message : OUR_FAULT
  const changed = expected && thrown.options.settings ? { settings: thrown.options.settings } : {}
  if (expected && thrown.options.permanent) {
    const notice = disabledNotice(deps.site, delivery.channel, integration, error)
    return { type: 'disable', error, notice, ...changed }
  }
  const retryAfterMs = expected ? (thrown.options.retryAfterMs ?? 0) : 0
  const dueAt = nextAttemptAt(delivery.createdAt, delivery.attempts + 1, deps.clock.now(), retryAfterMs)
  return { ...(dueAt === null ? { type: 'gave-up', error } : { type: 'retry', error, dueAt }), ...changed }
}
