/** Makes one attempt to send a message and records the result. */
import type { DropReason } from '../../core/alerts/delivery/change.js'
import { type Quota, quotaError } from '../../core/alerts/delivery/quota.js'
import { nextAttemptAt } from '../../core/alerts/delivery/retry.js'
import { isGone, unknownSince } from '../../core/alerts/delivery/unreachable.js'
import { integrationOf } from '../../integrations/index.js'
import { DeliveryError, type Integration } from '../../integrations/integration.js'
import { type Lease, LeaseOver } from '../../lib/lease.js'
import type { ClaimedMessage, ClaimedPart, HeldCounts } from '../../storage/alerts/messages.js'
import type { Settlement } from '../../storage/alerts/settle/settlement.js'
import type { Settled as SettledMessage } from '../../storage/alerts/settle-message.js'
import { isLocked } from '../../storage/errors.js'
import type { TeamMail } from '../../storage/people/mails.js'
import type { StoreWith } from '../../storage/store.js'
import { quotaWords } from '../people/mail/compose-quota-mail.js'
import type { QuotaDeps } from './charge-quota.js'
import { composeChannelNotice } from './compose-channel-notice.js'
import { type SendDeps, sendMessage } from './send-message.js'
import type { InTurn } from './settle-messages.js'

export interface DeliverDeps extends SendDeps, QuotaDeps {
  store: SendDeps['store'] &
    StoreWith<'alerts.settleMessage' | 'alerts.settleSentMessages' | 'alerts.giveBack'>
  site: SendDeps['site']
  /** Whether this installation can send e-mail. */
  sendsMail: boolean
  /** Names this process in the claims; see lib/worker-name.ts. */
  worker: string
  /** Called with what an attempt threw if it was not a failure of the receiver. */
  onError(error: unknown): void
  /** Called once for each attempt and for each dropped delivery, for the log. */
  onDelivery(event: DeliveryEvent): void
  /** Called with how many deliveries began to be held, by reason. */
  onHeld?(counts: HeldCounts): void
}

export interface DeliveryEvent {
  channel: string
  kind: string
  outcome: 'sent' | 'retry' | 'gave-up' | 'disable' | 'nothing' | DropReason
  /** The number of alerts in a message that combines several. */
  alerts?: number
  error?: string
  /** Set when nothing has arrived through the channel for a day: the operator should know. */
  unreachable?: true
  /** Set for a dropped delivery: the outcome is the reason. */
  isDropped?: boolean
  durationMs: number
  /** The time since there was something to send. */
  lagMs: number
}

/** The error that people see when a bug made an attempt fail; the log has the details. */
export const OUR_FAULT = 'Internal error in Punctual; see its log'

type Outcome = Settlement['outcome']
type Settled = Pick<Settlement, 'outcome' | 'settings'> & { retryAt: (part: ClaimedPart) => number | null }

/** How an attempt is recorded. */
interface Recording {
  /** Runs a write other than `settle`, at once or in turn with other writes. */
  inTurn: InTurn
  settle(settlement: Settlement): Promise<Pick<SettledMessage, 'unreachable'>>
}

/**
 * Makes one attempt and records it with `recording`, by default at once and on its own. Returns whether the
 * message was sent; null if `signal` cut the attempt off, or the lease ran out first. Rejects only if the database
 * fails; then the claim runs out.
 */
export async function deliver(
  deps: DeliverDeps,
  message: ClaimedMessage,
  signal: AbortSignal,
  lease: Pick<Lease, 'check'>,
  recording: Partial<Recording> = {},
): Promise<boolean | null> {
  const { inTurn = write => write(), settle = one => deps.store.alerts.settleMessage(one) } = recording
  const startedAt = deps.clock.now()
  let begun = false
  const begins = () => {
    lease.check()
    begun = true
  }
  const settled = await attempt(deps, message, signal, begins)
  if (signal.reason instanceof LeaseOver && settled.outcome.type !== 'sent') {
    await inTurn(() => giveBack(deps, message, begun))
    return null
  }
  // The result is not known, so nothing is settled.
  if (isCutOff(signal)) return null
  await record(deps, message, startedAt, settled, settle)
  return settled.outcome.type === 'sent'
}

/** Whether the process is stopping. Anything else that ends an attempt is a failure of the receiver. */
function isCutOff(signal: AbortSignal): boolean {
  return signal.aborted && !(signal.reason instanceof DeliveryError)
}

/**
 * Other processes may have claimed the deliveries, so they are not settled. Those that are still this process's are
 * due again; if sending had begun, it counts as an attempt. If one is locked for long, their claims run out.
 */
async function giveBack(
  { store, worker, clock }: DeliverDeps,
  { parts, counted }: ClaimedMessage,
  begun: boolean,
): Promise<void> {
  const attempts = parts.map(({ uuid, notificationUuid }) => ({ uuid, notificationUuid }))
  try {
    await store.alerts.giveBack({ worker, attempts, ...(counted && { counted }), begun, now: clock.now() })
  } catch (error) {
    if (!isLocked(error)) throw error
  }
}

async function attempt(
  deps: DeliverDeps,
  message: ClaimedMessage,
  signal: AbortSignal,
  begins: () => void,
): Promise<Settled> {
  const integration = integrationOf(message.channel.kind)!
  try {
    if (message.overQuota) return overQuota(deps, message.channel, message.overQuota)
    const sent = await sendMessage(deps, message, integration, signal, begins)
    if (!sent) return { outcome: { type: 'nothing' }, retryAt: () => null }
    return { outcome: sentOutcome(message), ...sent, retryAt: () => null }
  } catch (error) {
    return failure(deps, message, integration, isCutOff(signal) ? new DeliveryError('') : error)
  }
}

/** A notice that exceeds its quota is not held. */
function overQuota(deps: DeliverDeps, { projectId }: ClaimedMessage['channel'], quota: Quota): Settled {
  const mail = deps.sendsMail ? { mail: usedUpMail(deps, projectId, quota) } : {}
  return { outcome: { type: 'failed', error: quotaError(quota), ...mail }, retryAt: () => null }
}

function usedUpMail(deps: DeliverDeps, projectId: number, quota: Quota): TeamMail {
  const words = quotaWords(deps, quota, { project: null, lines: [] }, deps.clock.now())
  const limit = { key: `over-quota:${projectId} ${quota.called}`, capacity: 1, periodMs: 86_400_000 }
  return { kind: 'notice', ...words, unsubscribeUrl: '', limit }
}

function sentOutcome({ form, alertClass, parts }: ClaimedMessage): Outcome {
  const flapped = parts.some(({ flapping }) => flapping !== null)
  const flapping = form === 'flapping' ? 'begun' : flapped && form !== 'alert' ? 'over' : null
  return { type: 'sent', alertClass, flapping }
}

/** How to settle a message whose attempt threw `thrown`. */
function failure(
  deps: DeliverDeps,
  { channel }: ClaimedMessage,
  integration: Integration,
  thrown: unknown,
): Settled {
  const expected = thrown instanceof DeliveryError
  if (!expected) deps.onError(thrown)
  const options = expected ? thrown.options : {}
  const {
    permanent = false,
    unknownRecipient = false,
    answered = false,
    retryAfterMs = 0,
    settings,
  } = options
  const error = expected ? thrown.message : OUR_FAULT
  const changed = settings ? { settings } : {}
  const now = deps.clock.now()
  if (permanent || (unknownRecipient && isGone(unknownSince(channel, now), now))) {
    const disabled = composeChannelNotice(deps, channel, integration, { trouble: 'disabled', error })
    return { outcome: { type: 'failed', error, disabled }, ...changed, retryAt: () => null }
  }
  const trouble = answered ? 'refusing' : 'unreachable'
  const unreachable = composeChannelNotice(deps, channel, integration, { trouble, error })
  return {
    outcome: { type: 'failed', error, unknownRecipient, answered, unreachable },
    ...changed,
    retryAt: part => {
      const { due } = part
      const since = due?.since ?? part.createdAt
      // An unreachable channel tries a different message each time, so every message waits for the longest pause.
      const attempts = channel.unreachableAt === null ? part.attempts + 1 : Number.POSITIVE_INFINITY
      return nextAttemptAt({ since, attempts, lasting: due?.lasting ?? false, retryAfterMs }, now)
    },
  }
}

/**
 * Whether dropping the delivery could leave an incident open at the receiver: it ends a reported incident, or an
 * earlier attempt may have arrived.
 */
export function mayMatter({ due, attempts }: Pick<ClaimedPart, 'due' | 'attempts'>): boolean {
  return due !== null && (attempts > 0 || (due.reports === 'up' && due.lasting))
}

/** Records the result of an attempt, in the database and in the log. */
async function record(
  deps: DeliverDeps,
  { channel, parts, counted }: ClaimedMessage,
  startedAt: number,
  { outcome, settings, retryAt }: Settled,
  settle: Recording['settle'],
): Promise<void> {
  const now = deps.clock.now()
  const settledParts = parts.map(part => ({
    deliveryUuid: part.uuid,
    notificationUuid: part.notificationUuid,
    checkId: part.checkId,
    changedAt: part.flip?.createdAt ?? now,
    reports: part.due?.reports ?? null,
    retryAt: retryAt(part),
    mayMatter: mayMatter(part),
    endsLink: part.closing !== null && part.checkId !== null,
  }))
  const settlement: Settlement = {
    worker: deps.worker,
    channelId: channel.id,
    sentWith: { settings: channel.settings, enablings: channel.enablings },
    parts: settledParts,
    ...(counted && { counted }),
    startedAt,
    durationMs: now - startedAt,
    now,
    outcome,
    ...(settings ? { settings } : {}),
  }
  const { unreachable } = await settle(settlement)
  const failed = outcome.type === 'failed' ? outcome : null
  deps.onDelivery({
    channel: channel.uuid,
    kind: channel.kind,
    outcome: !failed
      ? (outcome.type as 'sent' | 'nothing')
      : failed.disabled
        ? 'disable'
        : settledParts.some(part => part.retryAt !== null)
          ? 'retry'
          : 'gave-up',
    ...(parts.length > 1 ? { alerts: parts.length } : {}),
    ...(failed ? { error: failed.error } : {}),
    ...(unreachable ? { unreachable } : {}),
    durationMs: now - startedAt,
    lagMs: now - Math.min(...parts.map(({ createdAt }) => createdAt)),
  })
}
