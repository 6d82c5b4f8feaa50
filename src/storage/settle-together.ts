/** What became of one message that told of many deliveries at once. One transaction, as for a single one. */
import type { News } from '../core/noise.js'
import { changeSettings } from './change-settings.js'
import { chunks } from './chunks.js'
import type { Db } from './db.js'
import { type QueuedMail, queueTeamMails } from './mails.js'
import { ERROR_LENGTH, noteOnChannels } from './settle-delivery.js'

/** What becomes of one of the deliveries. */
export interface SettledMember {
  deliveryUuid: string
  notificationUuid: string
  /** Null: it is done with, told or given up; an instant: it is tried again then. */
  dueAt: number | null
}

export interface SettlementTogether {
  worker: string
  channelId: number
  members: readonly SettledMember[]
  startedAt: number
  durationMs: number
  now: number
  news: News
  /** Empty where the message was sent. */
  error: string
  /** What the people of the project are told of the failure. */
  mail?: QueuedMail
  /** What the integration found to be different now. */
  settings?: Readonly<Record<string, string>>
}

/** Settles the deliveries of one message; those whose claim was lost meanwhile stay, and only the attempt is noted. */
export async function settleTogether(db: Db, settlement: SettlementTogether): Promise<void> {
  const { worker, channelId, members, durationMs } = settlement
  const error = settlement.error.slice(0, ERROR_LENGTH)
  const groups: { channel_id: number; group_id: number | null }[] = []
  for (const some of chunks(members, db.dialect.maxParameters - 8)) {
    await db.sql
      .updateTable('notifications')
      .set({ error, duration: durationMs })
      .where('uuid', 'in', uuids(some, 'notificationUuid'))
      .execute()
    const done = some.filter(({ dueAt }) => dueAt === null)
    if (done.length > 0) groups.push(...(await finish(db, settlement, done)))
    for (const dueAt of new Set(some.map(member => member.dueAt))) {
      if (dueAt === null) continue
      const again = some.filter(member => member.dueAt === dueAt)
      await db.sql
        .updateTable('deliveries')
        .set(eb => ({
          attempts: eb('attempts', '+', 1),
          due_at: dueAt,
          claimed_by: null,
          claimed_until: null,
        }))
        .where('uuid', 'in', uuids(again, 'deliveryUuid'))
        .where('claimed_by', '=', worker)
        .execute()
    }
  }
  if (settlement.mail) await queueTeamMails(db, channelId, settlement.mail, settlement.now)
  if (settlement.settings) await changeSettings(db, channelId, settlement.settings)
  await noteOnChannels(
    db,
    [{ channel_id: channelId, group_id: null }, ...groups],
    settlement,
    error,
    error === '' ? settlement.news : null,
  )
}

async function finish(
  db: Db,
  { worker, channelId, error }: SettlementTogether,
  done: readonly SettledMember[],
): Promise<{ channel_id: number; group_id: number | null }[]> {
  const gone = await db.sql
    .deleteFrom('deliveries')
    .where('uuid', 'in', uuids(done, 'deliveryUuid'))
    .where('claimed_by', '=', worker)
    .returning(['channel_id', 'group_id', 'check_id'])
    .execute()
  const checkIds = gone.flatMap(({ check_id }) => (check_id === null ? [] : [check_id]))
  // Whoever is told how a check stands is told of its next flapping anew.
  if (error === '' && checkIds.length > 0) {
    await db.sql
      .deleteFrom('flapping')
      .where('channel_id', '=', channelId)
      .where('check_id', 'in', checkIds)
      .execute()
  }
  return gone
}

function uuids(members: readonly SettledMember[], of: 'deliveryUuid' | 'notificationUuid'): string[] {
  return members.map(member => member[of])
}
