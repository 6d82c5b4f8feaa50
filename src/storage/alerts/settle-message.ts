import type { Notice } from '../../core/alerts/alert.js'
import type { AlertClass } from '../../core/alerts/delivery/allowance.js'
import type { ReportedStatus } from '../../core/alerts/delivery/reconcile.js'
import { appendTo } from '../../lib/append-to.js'
import type { Announced } from '../announce.js'
import { changeSettings } from '../channels/change-settings.js'
import { noteUse } from '../channels/channel-use.js'
import { disableChannel, followArrival, makeDue, WHEN_ENABLED } from '../channels/disable-channel.js'
import type { Db } from '../db.js'
import { inOrder } from '../in-order.js'
import { announcedWrite, write } from '../method.js'
import { queueTeamMails, type TeamMail } from '../people/mails.js'
import { preparedList } from '../prepared.js'
import { renewSent } from './links/renew-waiting.js'
import { noteUndelivered } from './note-undelivered.js'
import { nextProbe, noteFailing } from './note-unreachable.js'
import { noteOutcome, removeNotifications } from './notifications.js'
import { beginFlapping, endFlapping, noteReportedDown, noteReportedUp } from './reported.js'
import { lockChannel, type WaitingChannel } from './waiting-channel.js'

export interface SettledPart {
  deliveryUuid: string
  notificationUuid: string
  checkId: number | null
  /** When the check changed. */
  changedAt: number
  /** The status that counts as reported if it is sent; null for a notice. */
  reports: ReportedStatus | null
  /** When it is retried if it failed; null: never. */
  retryAt: number | null
  /** Whether it waits until the channel is enabled, if this attempt disables the channel; else it is deleted. */
  mayMatter: boolean
  /** Whether it ends a check for the channel although the check still exists. */
  endsLink: boolean
}

export interface Settlement {
  worker: string
  channelId: number
  /** The channel's settings with which the message was sent, and how often the channel had been enabled. */
  sentWith: Pick<WaitingChannel, 'settings' | 'enablings'>
  parts: readonly SettledPart[]
  startedAt: number
  durationMs: number
  now: number
  outcome:
    | {
        type: 'sent'
        alertClass: AlertClass
        /** `begun`: the channel was sent that the check is flapping; `over`: it was sent the status after flapping. */
        flapping: 'begun' | 'over' | null
      }
    /** There is nothing left to say, or the kind does not send such messages. */
    | { type: 'nothing' }
    | {
        type: 'failed'
        error: string
        /** The e-mail to the project's people about it. */
        mail?: TeamMail
        /** The failure is permanent: the channel is disabled, and the project's other channels are sent this notice. */
        disabled?: Omit<Notice, 'now' | 'site'>
        /** The notice to the project's other channels, once, if nothing has arrived for a day. */
        unreachable?: Omit<Notice, 'now' | 'site'>
      }
  /** Whether the channel was unreachable: if this message arrived, what waits is sent now. */
  wasUnreachable: boolean
  /** Settings that the integration found to have changed. */
  settings?: Readonly<Record<string, string>>
}

type Failed = Extract<Settlement['outcome'], { type: 'failed' }>

/** The result of settling a message. */
export interface Settled extends Announced {
  /** Whether the channel became unreachable. */
  unreachable: boolean
}

/** The longest error text that is stored. */
export const ERROR_LENGTH = 200

/**
 * Settles a message. For deliveries whose claim was lost in the meantime, only the attempt is recorded.
 */
export const settleMessage = announcedWrite(async (db: Db, settlement: Settlement): Promise<Settled> => {
  const unreachable = await settle(db, settlement)
  const { outcome } = settlement
  const isDisabled = outcome.type === 'failed' && outcome.disabled !== undefined
  // The project's other channels are sent a notice.
  return { unreachable, alerts: unreachable || isDisabled, checks: false }
})

async function settle(db: Db, settlement: Settlement): Promise<boolean> {
  const { outcome, parts } = settlement
  const attempts = parts.map(({ notificationUuid }) => ({ uuid: notificationUuid }))
  if (outcome.type === 'nothing') {
    await removeNotifications(db, {}, attempts)
    await finish(db, settlement, parts)
    return false
  }
  if (outcome.type === 'failed') {
    const error = outcome.error.slice(0, ERROR_LENGTH)
    await noteOutcome(db, attemptOutcome(settlement, error), attempts)
    return await settleFailed(db, settlement, { ...outcome, error })
  }
  await settleSent(db, { ...settlement, outcome })
  return false
}

export type SentSettlement = Settlement & { outcome: { type: 'sent' } }

/** Settles messages that were sent, in one transaction. */
export const settleSentMessages = write(
  async (db: Db, settlements: readonly SentSettlement[]): Promise<void> => {
    await inOrder(db, ...settlements.map(settlement => () => settleSent(db, settlement)))
  },
)

async function settleSent(db: Db, settlement: SentSettlement): Promise<void> {
  const { worker, parts, channelId, now } = settlement
  const { alertClass, flapping } = settlement.outcome
  const attempts = parts.map(({ notificationUuid }) => ({ uuid: notificationUuid }))
  const [noted] = await inOrder(
    db,
    () => noteOutcome(db, attemptOutcome(settlement, ''), attempts),
    () =>
      noteReportedDown(db, { worker, now }, parts.filter(({ reports }) => reports === 'down').map(uuidOf)),
  )
  const groupIds = await noteSent(db, settlement, flapping)
  await keepSettings(db, settlement)
  const error = noted.find(row => row.error !== '')?.error ?? ''
  const use = () => noteUse(db, channelId, groupIds, { ...settlement, error }, alertClass)
  if (error !== '') {
    // The service reported a failure before the attempt had ended.
    await use()
    await noteOutcome(db, attemptOutcome(settlement, error), attempts)
    const channel = await lockChannel(db, channelId)
    const retryAt = channel && isChanged(channel, settlement.sentWith) ? now : WHEN_ENABLED
    await noteUndelivered(db, { channelId, notificationUuid: attempts[0]!.uuid, retryAt, now })
    return
  }
  // The channel is locked last and briefly: all that arrives through it is settled one after the other.
  const last = inOrder(db, use, () => followArrival.all(db, { channelId, now }))
  if (db.sendWithCommit && !settlement.wasUnreachable) return db.sendWithCommit(last)
  await last
  if (settlement.wasUnreachable) await makeDue(db, channelId, now, ['unreachable', 'flapping'])
}

function attemptOutcome({ parts, durationMs }: Settlement, error: string) {
  return { error, durationMs, message: parts.length > 1 ? parts[0]!.notificationUuid : null }
}

/**
 * Stores the settings that the integration found to have changed, unless they were changed
 * since the message was claimed.
 */
async function keepSettings(db: Db, { channelId, sentWith, settings }: Settlement): Promise<void> {
  if (settings) await changeSettings(db, channelId, sentWith.settings, settings)
}

/** Settles a message that did not arrive. Returns whether its channel became unreachable. */
async function settleFailed(
  db: Db,
  settlement: Settlement,
  { error, mail, disabled, unreachable }: Failed,
): Promise<boolean> {
  const { channelId, now } = settlement
  const channel = await lockChannel(db, channelId)
  if (channel && isChanged(channel, settlement.sentWith)) {
    await noteFailed(db, {
      ...settlement,
      parts: settlement.parts.map(part => triedAtOnce(part, settlement)),
    })
    return false
  }
  const groupIds = await noteFailed(db, settlement)
  await keepSettings(db, settlement)
  await noteUse(db, channelId, groupIds, { ...settlement, error }, null)
  if (mail) await queueTeamMails(db, channelId, mail, now)
  let isNews = false
  if (disabled) await disableChannel(db, channelId, disabled, now)
  else if (channel && unreachable) isNews = await noteFailing(db, channel, unreachable, now)
  await noteProbe(db, settlement)
  return isNews
}

function isChanged(now: Settlement['sentWith'], before: Settlement['sentWith']): boolean {
  return (
    now.enablings !== before.enablings || JSON.stringify(now.settings) !== JSON.stringify(before.settings)
  )
}

/**
 * The channel was changed or enabled again while the message was under way, so the failure says nothing about the
 * channel as it is now: the delivery is tried again at once, unless it was given up for another reason.
 */
function triedAtOnce(part: SettledPart, { outcome, now }: Settlement): SettledPart {
  const disables = outcome.type === 'failed' && outcome.disabled !== undefined
  return { ...part, mayMatter: false, retryAt: disables || part.retryAt !== null ? now : null }
}

/** Sets when an unreachable channel is tried next: when this message is. */
async function noteProbe(db: Db, { channelId, parts }: Settlement): Promise<void> {
  const probeAt = Math.max(...parts.map(({ retryAt }) => retryAt ?? 0))
  if (probeAt > 0) await nextProbe.all(db, { channelId, probeAt })
}

/** Records a sent message. Returns the groups that the channel was reached through. */
async function noteSent(
  db: Db,
  settlement: Settlement,
  flapping: 'begun' | 'over' | null,
): Promise<(number | null)[]> {
  const { channelId, now, parts } = settlement
  const renewed = await renewSent(
    db,
    settlement,
    parts.filter(({ endsLink }) => endsLink),
  )
  const done = await finish(db, settlement, parts)
  const mine = parts.filter(({ deliveryUuid }) => done.has(deliveryUuid))
  await noteReportedUp(db, { channelId }, [
    ...mine.flatMap(({ reports, checkId }) => (reports === 'up' && checkId !== null ? [{ checkId }] : [])),
    ...renewed,
  ])
  const about = mine.flatMap(({ checkId, changedAt }) => (checkId === null ? [] : [{ checkId, changedAt }]))
  if (flapping !== null)
    await endFlapping(
      db,
      { channelId },
      about.map(({ checkId }) => ({ checkId })),
    )
  if (flapping === 'begun') for (const one of about) await beginFlapping.all(db, { ...one, channelId, now })
  return [...done.values()]
}

async function noteFailed(db: Db, settlement: Settlement): Promise<(number | null)[]> {
  const { worker, outcome } = settlement
  const disabled = outcome.type === 'failed' && outcome.disabled !== undefined
  const parts = settlement.parts.map(part =>
    disabled && part.mayMatter ? { ...part, retryAt: WHEN_ENABLED } : part,
  )
  const byInstant = new Map<number | null, SettledPart[]>()
  for (const part of parts) appendTo(byInstant, part.retryAt, part)
  for (const [retryAt, some] of byInstant) {
    if (retryAt !== null) await retry(db, { worker, retryAt }, some.map(uuidOf))
  }
  const done = await finish(db, settlement, byInstant.get(null) ?? [])
  return [...done.values()]
}

/** Deletes the deliveries that this process still claims. Returns their UUIDs, each with its group. */
async function finish(
  db: Db,
  { worker }: Settlement,
  parts: readonly SettledPart[],
): Promise<Map<string, number | null>> {
  const gone = await remove(db, { worker }, parts.map(uuidOf))
  return new Map(gone.map(({ uuid, group_id }) => [uuid, group_id]))
}

function uuidOf({ deliveryUuid }: SettledPart) {
  return { uuid: deliveryUuid }
}

const uuids = (items: { uuid: string }[]) => items.map(({ uuid }) => uuid)

const remove = preparedList((sql, value: { worker: string }, items: { uuid: string }[]) =>
  sql
    .deleteFrom('deliveries')
    .where('uuid', 'in', uuids(items))
    .where('claimed_by', '=', value.worker)
    .returning(['uuid', 'group_id']),
)

const retry = preparedList((sql, value: { worker: string; retryAt: number }, items: { uuid: string }[]) =>
  sql
    .updateTable('deliveries')
    .set(eb => ({
      attempts: eb('attempts', '+', 1),
      // A delivery that was made due by an arrival and failed waits for its own time once.
      follows: eb
        .case()
        .when('follows', '=', 2)
        .then(0 as const)
        .else(1 as const)
        .end(),
      due_at: value.retryAt,
      claimed_by: null,
      claimed_until: null,
    }))
    .where('uuid', 'in', uuids(items))
    .where('claimed_by', '=', value.worker),
)

/** Not where the check was unlinked from the channel while the message was on its way. */
