import { noteMessages, type SentMessage } from '../../channels/channel-use.js'
import { followArrival } from '../../channels/disable-channel.js'
import type { Db } from '../../db.js'
import { inOrder } from '../../in-order.js'
import { countAgain, noteArrivedMessages } from '../../people/quotas/counted-messages.js'
import { noteCarried } from '../channel-notices.js'
import { renewSent } from '../links/renew-waiting.js'
import { noteUndelivered } from '../note-undelivered.js'
import { noteArrived, noteOutcome } from '../notifications.js'
import { beginFlapping, endFlapping, noteReportedDown, noteReportedUp } from '../reported.js'
import { lockChannel } from '../waiting/waiting-channel.js'
import { attemptOutcome, attemptsOf, keepSettings } from './attempt.js'
import { finish, uuidOf } from './claimed-parts.js'
import { keepNoticed } from './keep-noticed.js'
import { isChanged, type SentSettlement } from './settlement.js'

/**
 * Settles messages that were sent through one channel by one process, with as few statements for many as for one,
 * since each takes longer to send and to answer than to carry out.
 */
export async function settleSent(db: Db, settlements: readonly SentSettlement[]): Promise<void> {
  const { worker, channelId } = settlements[0]!
  const now = Math.max(...settlements.map(one => one.now))
  const parts = settlements.flatMap(one => one.parts)
  const down = parts.filter(({ reports }) => reports === 'down')
  const [failures] = await inOrder(
    db,
    () => noteSent(db, settlements),
    () => noteReportedDown(db, { worker, now }, down.map(uuidOf)),
  )
  const notices = parts.filter(({ reports }) => reports === null)
  if (notices.length > 0)
    await noteCarried(
      db,
      channelId,
      notices.map(({ deliveryUuid }) => deliveryUuid),
    )
  const groups = await finishSent(db, settlements)
  const counted = settlements.flatMap(one => one.counted ?? [])
  const givenBack = counted.length > 0 ? await noteArrivedMessages(db, counted) : []
  // A claim locks its channels before the counts of accounts.
  if (givenBack.length > 0) await lockChannel(db, channelId)
  for (const one of givenBack) await countAgain.all(db, { ...one })
  for (const settlement of settlements) await keepSettings(db, settlement)
  const groupIdsOf = ({ parts }: SentSettlement) => parts.map(part => groups.get(part.deliveryUuid) ?? null)
  const arrived: SentSettlement[] = []
  for (const settlement of settlements) {
    const error = attemptsOf(settlement)
      .map(({ uuid }) => failures.get(uuid))
      .find(Boolean)
    if (error) await settleFailedLater(db, settlement, { error, groupIds: groupIdsOf(settlement) })
    else arrived.push(settlement)
  }
  if (arrived.length === 0) return
  const messages = arrived.map(one => messageOf(one, groupIdsOf(one)))
  // The channel is locked last and briefly: all that arrives through it is settled one after the other.
  const last = inOrder(
    db,
    () => noteMessages(db, channelId, messages),
    () => followArrival.all(db, { channelId, now }),
  )
  if (db.sendWithCommit) db.sendWithCommit(last)
  else await last
}

/** Notes the attempts as sent. Returns the failures that the service has reported before, by attempt. */
async function noteSent(db: Db, settlements: readonly SentSettlement[]): Promise<Map<string, string>> {
  const single = settlements.filter(({ parts }) => parts.length === 1)
  const combined = settlements.filter(({ parts }) => parts.length > 1)
  const noted = await inOrder(
    db,
    () =>
      noteArrived(
        db,
        {},
        single.map(({ parts, durationMs }) => ({ uuid: parts[0]!.notificationUuid, durationMs })),
      ),
    ...combined.map(one => () => noteOutcome(db, attemptOutcome(one, ''), attemptsOf(one))),
  )
  return new Map(noted.flat().flatMap(({ uuid, error }) => (error === '' ? [] : [[uuid, error]])))
}

/** The service reported a failure before the attempt had ended. */
async function settleFailedLater(
  db: Db,
  settlement: SentSettlement,
  { error, groupIds }: { error: string; groupIds: readonly (number | null)[] },
): Promise<void> {
  const { channelId, now, sentWith } = settlement
  const attempts = attemptsOf(settlement)
  await noteMessages(db, channelId, [messageOf(settlement, groupIds, error)])
  await noteOutcome(db, attemptOutcome(settlement, error), attempts)
  const channel = await lockChannel(db, channelId)
  // Only e-mails bounce; what a carrier of text messages reports waits, see decision 0159.
  const hasBounced = channel !== null && channel.bounced.at !== null && !channel.disabled
  const unchanged = hasBounced ? 'after-pause' : 'when-changed'
  const again = channel && isChanged(channel, sentWith) ? 'at-once' : unchanged
  await noteUndelivered(db, { channelId, notificationUuid: attempts[0]!.uuid, again, now })
}

function messageOf(
  { startedAt, durationMs, now, outcome }: SentSettlement,
  groupIds: readonly (number | null)[],
  error = '',
): SentMessage {
  return { use: { startedAt, durationMs, now, error }, groupIds, sent: outcome.alertClass }
}

/** Records what was sent. Returns the deliveries that it ends, each with the group that it was sent for. */
async function finishSent(
  db: Db,
  settlements: readonly SentSettlement[],
): Promise<Map<string, number | null>> {
  const { worker, channelId } = settlements[0]!
  const renewed: { checkId: number }[] = []
  for (const settlement of settlements) {
    const ends = settlement.parts.filter(({ endsLink }) => endsLink)
    renewed.push(...(await renewSent(db, settlement, ends)))
  }
  const noticed: [string, number | null][] = []
  for (const settlement of settlements) noticed.push(...(await keepNoticed(db, settlement)))
  const ended = await finish(
    db,
    { worker },
    settlements.flatMap(({ parts }) => parts),
  )
  const done = new Map([...ended, ...noticed])
  const mine = settlements.flatMap(({ parts, now, outcome: { flapping } }) =>
    parts.flatMap(({ deliveryUuid, checkId, changedAt, reports }) =>
      checkId !== null && done.has(deliveryUuid) ? [{ checkId, changedAt, reports, now, flapping }] : [],
    ),
  )
  const up = mine.filter(({ reports }) => reports === 'up')
  await noteReportedUp(db, { channelId }, [...up, ...renewed].map(checkOf))
  const flapped = mine.filter(({ flapping }) => flapping !== null)
  await endFlapping(db, { channelId }, flapped.map(checkOf))
  for (const { checkId, changedAt, now, flapping } of flapped) {
    if (flapping === 'begun') await beginFlapping.all(db, { checkId, changedAt, channelId, now })
  }
  return done
}

const checkOf = ({ checkId }: { checkId: number }) => ({ checkId })
