import { randomUUID } from 'node:crypto'
import type { PlannedMessage } from '../../core/alerts/delivery/plan-values.js'
import { claimRows } from '../claims.js'
import type { Db } from '../db.js'
import { keepCounts } from './deliveries.js'
import type { ClaimedMessage, ClaimedPart, Planned, Take } from './messages.js'
import { addNotifications, attemptOf } from './notifications.js'

/** Claims the deliveries of planned messages, and records that each is being sent. */
export async function claimMessages(
  db: Db,
  take: Take,
  planned: readonly Planned[],
): Promise<ClaimedMessage[]> {
  const ids = planned.flatMap(({ plan }) => plan.messages.flatMap(idsOf))
  const mine = new Set(await claimRows(db, 'deliveries', ids, take))
  const messages: ClaimedMessage[] = []
  for (const { channel, plan, rows, history } of planned) {
    for (const message of plan.messages) {
      const parts: ClaimedPart[] = []
      const dues = new Map(message.parts.map(due => [due.change.id, due]))
      // Leaves out deliveries that were deleted in the meantime.
      for (const id of idsOf(message).filter(id => mine.has(id))) {
        const row = rows.get(id)!
        const due = dues.get(id) ?? null
        if (due) await keepCounts(db, row, due)
        const { createdAt, charged } = due ?? row
        parts.push({
          ...row,
          due,
          createdAt,
          charged,
          history: history.get(id) ?? [],
          notificationUuid: randomUUID(),
        })
      }
      if (parts.length > 0)
        messages.push({ channel, form: message.form, alertClass: message.alertClass, parts })
    }
  }
  const attempts = messages.flatMap(({ parts }) => parts)
  await addNotifications(
    db,
    attempts.map(part => ({
      ...attemptOf(part),
      uuid: part.notificationUuid,
      error: 'Sending',
      duration: null,
    })),
    take.now,
  )
  return messages
}

function idsOf({ parts, noticeId }: PlannedMessage): number[] {
  return noticeId === null ? parts.map(({ change }) => change.id) : [noticeId]
}
