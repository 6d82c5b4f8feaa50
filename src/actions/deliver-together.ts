/** One message for many deliveries of one channel. */
import type { Notice } from '../core/alert.js'
import { digestWords } from '../core/digest.js'
import { newsOf } from '../core/noise.js'
import { integrationOf } from '../integrations/index.js'
import type { Integration, Sent } from '../integrations/integration.js'
import { digestOf } from '../lib/secrets.js'
import type { ClaimedDelivery } from '../storage/deliveries.js'
import type { SettlementTogether } from '../storage/settle-together.js'
import type { Store } from '../storage/store.js'
import { chargeQuota } from './charge-quota.js'
import { type DeliverDeps, destinationOf, failure, settle } from './deliver.js'
import { receiverWait } from './receiver-wait.js'

export interface TurnDeps extends DeliverDeps {
  store: DeliverDeps['store'] &
    Pick<Store, 'claimDeliveries' | 'holdDeliveries' | 'settleTogether' | 'digestFacts'>
  /** How long a claim lasts. */
  leaseMs: number
}

/** Sends it and settles them all. Rejects only when the database fails; then the claims run out. */
export async function deliverTogether(
  deps: TurnDeps,
  deliveries: readonly ClaimedDelivery[],
  signal: AbortSignal,
): Promise<void> {
  const [first] = deliveries as [ClaimedDelivery, ...ClaimedDelivery[]]
  const integration = integrationOf(first.channel.kind)!
  const startedAt = deps.clock.now()
  const waitMs = await receiverWait(deps, integration, first.channel.settings)
  if (waitMs > 0) return await wait(deps, deliveries, startedAt + waitMs)
  // Counted with the first attempt.
  const counts = deliveries.every(({ attempts }) => attempts === 0)
  const over = counts
    ? await chargeQuota(deps, integration, first.channel.projectId, flipsOf(deliveries))
    : null
  if (over) {
    const { error, mail } = over
    return await settleAll(deps, deliveries, startedAt, { error, ...(mail ? { mail } : {}) })
  }
  let thrown: unknown = null
  let sent: Sent = {}
  try {
    sent = await send(deps, deliveries, integration, signal)
  } catch (error) {
    // Cut off by a stop: what came of it is not known, so nothing is settled.
    if (signal.aborted) return
    thrown = error
  }
  if (thrown !== null) return await settleFailure(deps, deliveries, integration, startedAt, thrown)
  await settleAll(deps, deliveries, startedAt, { error: '', ...sent })
}

async function send(
  deps: TurnDeps,
  deliveries: readonly ClaimedDelivery[],
  integration: Integration,
  signal: AbortSignal,
): Promise<Sent> {
  const { channel, notificationUuid } = deliveries[0]!
  const facts = await deps.store.digestFacts(flipsOf(deliveries))
  if (facts.project === null) return {}
  const to = await destinationOf(
    deps,
    channel,
    { idempotencyKey: keyOf(deliveries), notificationUuid },
    integration,
  )
  const now = deps.clock.now()
  const { root } = deps.site
  const notice: Notice = {
    type: 'notice',
    ...digestWords(facts.lines, facts.project.name, now, to.timeZone),
    url: `${root}/projects/${facts.project.uuid}/checks/`,
    status: facts.lines.some(({ status }) => status === 'down') ? 'down' : 'up',
    now,
    site: deps.site,
  }
  return (await integration.notify!(notice, to, deps.ways(signal))) ?? {}
}

/**
 * The same for the same deliveries, so that a receiver can drop a repeat after a crash; another as soon as one is
 * added, which would be dropped with it otherwise.
 */
function keyOf(deliveries: readonly ClaimedDelivery[]): string {
  const keys = deliveries.map(({ uuid }) => uuid)
  const digest = digestOf(keys.sort().join(' '))
  const part = (from: number, to: number) => digest.slice(from, to)
  return `${part(0, 8)}-${part(8, 12)}-${part(12, 16)}-${part(16, 20)}-${part(20, 32)}`
}

function flipsOf(deliveries: readonly ClaimedDelivery[]): number[] {
  return deliveries.flatMap(({ flipId }) => (flipId === null ? [] : [flipId]))
}

async function settleFailure(
  deps: TurnDeps,
  deliveries: readonly ClaimedDelivery[],
  integration: Integration,
  startedAt: number,
  thrown: unknown,
): Promise<void> {
  // What was nobody's fault is reported once.
  const quietly = { ...deps, onError() {} }
  const outcomes = deliveries.map((delivery, index) =>
    failure(index === 0 ? deps : quietly, delivery, integration, thrown),
  )
  const first = outcomes[0]!
  if (first.type === 'disable') await settle(deps, deliveries[0]!, startedAt, first)
  await settleAll(deps, deliveries, startedAt, {
    error: 'error' in first ? first.error : '',
    dueAt: outcomes.map(outcome => (outcome.type === 'retry' ? outcome.dueAt : null)),
    ...(first.settings ? { settings: first.settings } : {}),
  })
}

async function settleAll(
  deps: TurnDeps,
  deliveries: readonly ClaimedDelivery[],
  startedAt: number,
  came: Pick<SettlementTogether, 'error' | 'settings' | 'mail'> & {
    /** When each is tried again; none is when absent. */
    dueAt?: readonly (number | null)[]
  },
): Promise<void> {
  const { dueAt, ...rest } = came
  const { error } = rest
  const { channel, channelId } = deliveries[0]!
  const now = deps.clock.now()
  await deps.store.settleTogether({
    worker: deps.worker,
    channelId,
    members: deliveries.map(({ uuid, notificationUuid }, index) => ({
      deliveryUuid: uuid,
      notificationUuid,
      dueAt: dueAt?.[index] ?? null,
    })),
    startedAt,
    durationMs: now - startedAt,
    now,
    news: newsOf(deliveries),
    ...rest,
  })
  deps.onDelivery({
    channel: channel.uuid,
    kind: channel.kind,
    outcome: error === '' ? 'sent' : 'failed',
    alerts: deliveries.length,
    lagMs: now - Math.min(...deliveries.map(({ createdAt }) => createdAt)),
    durationMs: now - startedAt,
    ...(error === '' ? {} : { error }),
  })
}

async function wait(deps: TurnDeps, deliveries: readonly ClaimedDelivery[], until: number): Promise<void> {
  await deps.store.holdDeliveries({
    worker: deps.worker,
    channelId: deliveries[0]!.channelId,
    until,
    now: deps.clock.now(),
    deliveries: deliveries.map(slim),
    why: { type: 'channel', holds: 'all', announce: null },
  })
}

/** What the store needs to know of a delivery that is held. */
export function slim({ uuid, notificationUuid }: ClaimedDelivery) {
  return { uuid, notificationUuid }
}
