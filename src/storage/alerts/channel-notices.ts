/** Notices about channels of a project to its other channels, and e-mails where none of those can carry them. */
import { randomUUID } from 'node:crypto'
import type { Notice } from '../../core/alerts/alert.js'
import { type ChannelTrouble, isInTrouble } from '../channels/channel-trouble.js'
import type { Db } from '../db.js'
import { type QueuedMail, queueManagerMails } from '../people/mails.js'

/** A notice about a channel of a project to its other channels. */
export interface ChannelNotice extends Omit<Notice, 'now' | 'site'> {
  /** What it says about which channel; it is not sent if that is not true any more. */
  about?: ChannelTrouble
  /**
   * The e-mail to the owner and the managers if no other channel is of one of the kinds that carry notices. A notice that
   * waits has it if its channel carries it.
   */
  fallback?: Fallback
}

interface Fallback {
  mail: QueuedMail
  carriers: readonly string[]
}

/**
 * Adds a notice for each of the project's other enabled channels, which are locked so that none can be deleted at the
 * same time. If none of them can carry it now, its owner and managers get it by e-mail. What waits for this channel to
 * carry is not carried any more.
 */
export async function notifyOthers(
  db: Db,
  channelId: number,
  { fallback, ...notice }: ChannelNotice,
  now: number,
): Promise<void> {
  const others = await othersOf(db, channelId, { locked: true })
  const isMailed = fallback !== undefined && !others.some(other => carries(other, fallback))
  if (isMailed) await queueManagerMails(db, channelId, mailAbout(fallback, notice), now)
  await mailInstead(db, channelId, await carriedBy(db, channelId), now)
  if (others.length === 0) return
  await db.sql
    .insertInto('deliveries')
    .values(
      others.map(other => {
        const waiting: ChannelNotice = fallback && carries(other, fallback) ? { ...notice, fallback } : notice
        return {
          uuid: randomUUID(),
          channel_id: other.id,
          notice: JSON.stringify(waiting),
          due_at: now,
          created_at: now,
        }
      }),
    )
    .execute()
}

/**
 * E-mails notices that a channel was to carry and that end undelivered, or that wait while it is given up: to the
 * project's owner and managers, if they are true and no other channel can carry them. What still waits is e-mailed once.
 */
export async function mailInstead(
  db: Db,
  channelId: number,
  rows: readonly { id: number; notice: ChannelNotice }[],
  now: number,
): Promise<void> {
  const carried = rows.filter(({ notice }) => notice.fallback !== undefined)
  if (carried.length === 0) return
  const others = await othersOf(db, channelId, { locked: false })
  for (const { id, notice: row } of carried) {
    const { fallback, ...notice } = row
    if (others.some(other => carries(other, fallback!))) continue
    if (notice.about && !(await isInTrouble(db, notice.about))) continue
    await queueManagerMails(db, channelId, mailAbout(fallback!, notice), now)
    await db.sql
      .updateTable('deliveries')
      .set({ notice: JSON.stringify(notice) })
      .where('id', '=', id)
      .execute()
  }
}

/** The notices that wait for a channel: all, or those of these deliveries. */
export async function carriedBy(
  db: Db,
  channelId: number,
  uuids?: readonly string[],
): Promise<{ id: number; notice: ChannelNotice }[]> {
  const rows = await db.sql
    .selectFrom('deliveries')
    .select(['id', 'notice'])
    .where('channel_id', '=', channelId)
    .where('notice', 'is not', null)
    .$if(uuids !== undefined, query => query.where('uuid', 'in', uuids!))
    .orderBy('id')
    .execute()
  return rows.map(({ id, notice }) => ({ id, notice: JSON.parse(notice!) }))
}

interface Other {
  id: number
  kind: string
  confirmed: 0 | 1
  failing_ms: number
}

/** The project's other enabled channels; if locked, none can be deleted at the same time. */
async function othersOf(db: Db, channelId: number, { locked }: { locked: boolean }): Promise<Other[]> {
  return await db.sql
    .selectFrom('channels as broken')
    .innerJoin('channels as other', 'other.project_id', 'broken.project_id')
    .select(['other.id', 'other.kind', 'other.confirmed', 'other.failing_ms'])
    .where('broken.id', '=', channelId)
    .where('other.disabled', '=', 0)
    .whereRef('other.id', '!=', 'broken.id')
    .orderBy('other.id')
    .$if(locked && db.dialect.hasConcurrentWrites, query => query.forKeyShare('other'))
    .execute()
}

/** The e-mail that says what a notice would. */
function mailAbout({ mail }: Fallback, { about }: Pick<ChannelNotice, 'about'>): QueuedMail {
  return about ? { ...mail, about } : mail
}

/** Whether a channel can carry the notice now. One that fails may be the next that is given up. */
function carries({ kind, confirmed, failing_ms }: Other, { carriers }: Fallback): boolean {
  return carriers.includes(kind) && confirmed === 1 && failing_ms === 0
}
