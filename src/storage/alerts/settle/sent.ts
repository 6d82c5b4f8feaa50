import { noteUse } from '../../channels/channel-use.js'
import { followArrival, WHEN_ENABLED } from '../../channels/disable-channel.js'
import type { Db } from '../../db.js'
import { inOrder } from '../../in-order.js'
import { renewSent } from '../links/renew-waiting.js'
import { noteUndelivered } from '../note-undelivered.js'
import { noteOutcome } from '../notifications.js'
import { beginFlapping, endFlapping, noteReportedDown, noteReportedUp } from '../reported.js'
import { lockChannel } from '../waiting-channel.js'
import { attemptOutcome, attemptsOf, keepSettings } from './attempt.js'
import { finish, uuidOf } from './claimed-parts.js'
import { isChanged, type SentSettlement } from './settlement.js'

/** Settles a message that was sent. */
export async function settleSent(db: Db, settlement: SentSettlement): Promise<void> {
  const { worker, parts, channelId, now } = settlement
  const { alertClass } = settlement.outcome
  const attempts = attemptsOf(settlement)
  const [noted] = await inOrder(
    db,
    () => noteOutcome(db, attemptOutcome(settlement, ''), attempts),
    () =>
      noteReportedDown(db, { worker, now }, parts.filter(({ reports }) => reports === 'down').map(uuidOf)),
  )
  const groupIds = await noteSent(db, settlement)
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
  if (db.sendWithCommit) db.sendWithCommit(last)
  else await last
}

/** Records a sent message. Returns the groups that the channel was reached through. */
async function noteSent(db: Db, settlement: SentSettlement): Promise<(number | null)[]> {
  const { channelId, now, parts } = settlement
  const { flapping } = settlement.outcome
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
