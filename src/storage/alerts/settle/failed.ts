import { nextProbeAt } from '../../../core/alerts/delivery/unreachable.js'
import { appendTo } from '../../../lib/append-to.js'
import { noteUse } from '../../channels/channel-use.js'
import { disableChannel, WHEN_ENABLED } from '../../channels/disable-channel.js'
import type { Db } from '../../db.js'
import { queueTeamMails } from '../../people/mails.js'
import { mailInstead } from '../channel-notices.js'
import { nextProbe, noteFailing } from '../note-unreachable.js'
import { noteOutcome } from '../notifications.js'
import { lockChannel } from '../waiting/waiting-channel.js'
import { attemptOutcome, attemptsOf, ERROR_LENGTH, keepSettings } from './attempt.js'
import { finish, retry, uuidOf } from './claimed-parts.js'
import { type FailedSettlement, isChanged, type SettledPart } from './settlement.js'

/** Settles a message that did not arrive. Returns whether nothing has arrived through its channel for a day now. */
export async function settleFailed(db: Db, settlement: FailedSettlement): Promise<boolean> {
  const { channelId, now } = settlement
  const { unknownRecipient = false, answered = false, mail, disabled, unreachable } = settlement.outcome
  const error = settlement.outcome.error.slice(0, ERROR_LENGTH)
  await noteOutcome(db, attemptOutcome(settlement, error), attemptsOf(settlement))
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
  await noteUse(db, channelId, groupIds, { ...settlement, error })
  if (mail) await queueTeamMails(db, channelId, mail, now)
  let isNews = false
  if (disabled) await disableChannel(db, channelId, disabled, now)
  else if (channel && unreachable) {
    const gaveUp = settlement.parts.some(({ retryAt, reports }) => retryAt === null && reports !== null)
    const failed = { unknownRecipient, answered, gaveUp, notice: unreachable }
    isNews = await noteFailing(db, channel, failed, now)
  }
  await noteProbe(db, settlement)
  return isNews
}

/**
 * The channel was changed or enabled again while the message was under way, so the failure says nothing about the
 * channel as it is now: the delivery is tried again at once, unless it was given up for another reason.
 */
function triedAtOnce(part: SettledPart, { outcome, now }: FailedSettlement): SettledPart {
  return { ...part, mayMatter: false, retryAt: outcome.disabled || part.retryAt !== null ? now : null }
}

/** Sets when an unreachable channel is tried next. */
async function noteProbe(db: Db, { channelId, parts, now }: FailedSettlement): Promise<void> {
  const retryAts = parts.map(({ retryAt }) => retryAt)
  await nextProbe.all(db, { channelId, probeAt: nextProbeAt(retryAts, now) })
}

/** Releases or deletes the deliveries. Returns the groups that the channel was reached through. */
async function noteFailed(db: Db, settlement: FailedSettlement): Promise<(number | null)[]> {
  const { worker, outcome } = settlement
  const parts = settlement.parts.map(part =>
    outcome.disabled && part.mayMatter ? { ...part, retryAt: WHEN_ENABLED } : part,
  )
  const byInstant = new Map<number | null, SettledPart[]>()
  for (const part of parts) appendTo(byInstant, part.retryAt, part)
  for (const [retryAt, some] of byInstant) {
    const numbered = retryAt === WHEN_ENABLED ? 0 : 1
    if (retryAt !== null) await retry(db, { worker, retryAt, numbered }, some.map(uuidOf))
  }
  const ended = byInstant.get(null) ?? []
  const notices = ended.filter(({ reports }) => reports === null).map(({ deliveryUuid }) => deliveryUuid)
  if (notices.length > 0) {
    const { channelId, now } = settlement
    await mailInstead(db, channelId, now, notices)
  }
  const done = await finish(db, settlement, ended)
  return [...done.values()]
}
