import { randomUUID } from 'node:crypto'
import type { Notice } from '../../core/alerts/alert.js'
import { failingFor, isUnreachable } from '../../core/alerts/delivery/unreachable.js'
import type { Db } from '../db.js'
import { readWithoutSnapshot } from '../method.js'
import { type QueuedMail, queueManagerMails } from '../people/mails.js'
import { prepared } from '../prepared.js'
import type { WaitingChannel } from './waiting-channel.js'

/** A notice about a channel of a project to its other channels. */
export interface ChannelNotice extends Omit<Notice, 'now' | 'site'> {
  /** What it says about which channel; it is not sent if that is not true any more. */
  about?: ChannelTrouble
  /** The e-mail to the owner and the managers if no other channel is of one of the kinds that carry notices. */
  fallback?: { mail: QueuedMail; carriers: readonly string[] }
}

/** A notice as it waits; a channel that carries it for the owner and the managers keeps the e-mail that they did not get. */
type WaitingNotice = Omit<ChannelNotice, 'fallback'> & { mail?: QueuedMail }

/** Whether the channel with this UUID is disabled, or unreachable. */
export interface ChannelTrouble {
  channel: string
  trouble: 'disabled' | 'unreachable'
}

/** Whether what a notice says about a channel is still true. */
export const isInTrouble = readWithoutSnapshot(
  async (db: Db, { channel, trouble }: ChannelTrouble): Promise<boolean> => {
    const row = await db.sql
      .selectFrom('channels')
      .select(['disabled', 'unreachable_at'])
      .where('uuid', '=', channel)
      .executeTakeFirst()
    return row !== undefined && (trouble === 'disabled' ? row.disabled === 1 : row.unreachable_at !== null)
  },
)

/**
 * Records that another attempt through a channel failed; `channel` is its state before. If it becomes unreachable,
 * the project's other channels are sent `notice`. Returns whether it does.
 */
export async function noteFailing(
  db: Db,
  { id, failing, unreachableAt }: Pick<WaitingChannel, 'id' | 'failing' | 'unreachableAt'>,
  notice: ChannelNotice,
  now: number,
): Promise<boolean> {
  const failingMs = failingFor(failing, now)
  const isNews = unreachableAt === null && isUnreachable(failingMs)
  await db.sql
    .updateTable('channels')
    .set({ failing_ms: failingMs, ...(isNews ? { unreachable_at: now } : {}) })
    .where('id', '=', id)
    .execute()
  if (isNews) await notifyOthers(db, id, notice, now)
  return isNews
}

/**
 * Adds a notice for each of the project's other enabled channels, which are locked so that none can be deleted at the
 * same time. If none of them can carry it now, its owner and managers get it by e-mail, and with it all that waits for
 * this channel to carry.
 */
export async function notifyOthers(
  db: Db,
  channelId: number,
  { fallback, ...notice }: ChannelNotice,
  now: number,
): Promise<void> {
  const others = await db.sql
    .selectFrom('channels as broken')
    .innerJoin('channels as other', 'other.project_id', 'broken.project_id')
    .select(['other.id', 'other.kind', 'other.confirmed', 'other.failing_ms'])
    .where('broken.id', '=', channelId)
    .where('other.disabled', '=', 0)
    .whereRef('other.id', '!=', 'broken.id')
    .orderBy('other.id')
    .$if(db.dialect.hasConcurrentWrites, query => query.forKeyShare('other'))
    .execute()
  // A channel that fails may be the next that is given up.
  const carries = (other: (typeof others)[number]) =>
    fallback?.carriers.includes(other.kind) && other.confirmed === 1 && other.failing_ms === 0
  if (fallback && !others.some(carries)) {
    for (const mail of [fallback.mail, ...(await mailsCarriedBy(db, channelId))]) {
      await queueManagerMails(db, channelId, mail, now)
    }
  }
  if (others.length === 0) return
  await db.sql
    .insertInto('deliveries')
    .values(
      others.map(other => {
        const waiting: WaitingNotice = carries(other) ? { ...notice, mail: fallback!.mail } : notice
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

/** The e-mails about what is still true, in place of which a channel was to carry notices that wait. */
async function mailsCarriedBy(db: Db, channelId: number): Promise<QueuedMail[]> {
  const rows = await db.sql
    .selectFrom('deliveries')
    .select('notice')
    .where('channel_id', '=', channelId)
    .where('notice', 'is not', null)
    .orderBy('id')
    .execute()
  const mails: QueuedMail[] = []
  for (const row of rows) {
    const { about, mail }: WaitingNotice = JSON.parse(row.notice!)
    if (mail && (!about || (await isInTrouble(db, about)))) mails.push(mail)
  }
  return mails
}

/** Sets when an unreachable channel is tried next. */
export const nextProbe = prepared((sql, value: { channelId: number; probeAt: number }) =>
  sql
    .updateTable('channels')
    .set({ probe_at: value.probeAt })
    .where('id', '=', value.channelId)
    .where('unreachable_at', 'is not', null),
)
