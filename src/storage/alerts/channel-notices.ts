/** Notices about channels of a project to its other channels, and e-mails where none of those can carry them. */
import { randomUUID } from 'node:crypto'
import type { Notice } from '../../core/alerts/alert.js'
import { type FailingColumns, failingMsOf } from '../channels/bounced-channel.js'
import { type ChannelTrouble, isInTrouble } from '../channels/channel-trouble.js'
import type { Db } from '../db.js'
import { type QueuedMail, queueManagerMails } from '../people/mails.js'

/** A notice about a channel of a project to its other channels. */
export interface ChannelNotice extends Omit<Notice, 'now' | 'site'> {
  /** What it says about which channel; it is not sent if that is not true any more. See `isInTrouble`. */
  about?: ChannelTrouble
  /**
   * The e-mail to the owner and the managers if no other channel carries it. A notice that waits has it for as long as its
   * channel may carry it, and it was neither delivered by another one nor e-mailed.
   */
  fallback?: Fallback
}

interface Fallback {
  mail: QueuedMail
  carriers: readonly string[]
}

/**
 * Adds a notice for each of the project's other enabled channels but groups, which are locked so that none can be deleted at the
 * same time. If none of them can carry it now, its owner and managers get it by e-mail. What waits for this channel to
 * carry is not carried any more.
 */
export async function notifyOthers(
  db: Db,
  channelId: number,
  { fallback, about, ...words }: ChannelNotice,
  now: number,
): Promise<void> {
  const notice: Omit<ChannelNotice, 'fallback'> = about
    ? { ...words, about: await thisTime(db, about) }
    : words
  const others = await othersOf(db, channelId)
  const isCarried = fallback !== undefined && (await canBeCarried(db, others, fallback, now))
  if (fallback && !isCarried) await queueManagerMails(db, channelId, mailAbout(fallback, notice), now)
  await mailInstead(db, channelId, now)
  if (others.length === 0) return
  await db.sql
    .insertInto('deliveries')
    .values(
      others.map(other => {
        const waiting: ChannelNotice =
          isCarried && canCarry(other, fallback) ? { ...notice, fallback } : notice
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

/** The trouble as it is now, told apart from what a channel had before it was enabled. */
async function thisTime(db: Db, about: ChannelTrouble): Promise<ChannelTrouble> {
  const row = await db.sql
    .selectFrom('channels')
    .select('enablings')
    .where('uuid', '=', about.channel)
    .executeTakeFirst()
  return row ? { ...about, ...row } : about
}

/**
 * E-mails notices that wait for a channel which is given up, or that end undelivered, all or those of these deliveries:
 * to the project's owner and managers, if they are true and no other channel that still has them can carry them now.
 */
export async function mailInstead(
  db: Db,
  channelId: number,
  now: number,
  uuids?: readonly string[],
): Promise<void> {
  for (const { fallback, notice, copies } of await carriedBy(db, channelId, uuids)) {
    const others = copies.filter(copy => copy.id !== channelId)
    if (await canBeCarried(db, others, fallback, now)) continue
    if (notice.about && !(await isInTrouble(db, notice.about, now))) continue
    await queueManagerMails(db, channelId, mailAbout(fallback, notice), now)
    await removeFallback(db, { notice, copies })
  }
}

/** Notes that a channel has delivered the notices among these deliveries: nobody gets them by e-mail any more. */
export async function noteCarried(db: Db, channelId: number, uuids: readonly string[]): Promise<void> {
  for (const carried of await carriedBy(db, channelId, uuids)) await removeFallback(db, carried)
}

/** A notice that waits with its e-mail, for one or more channels. */
interface Carried {
  fallback: Fallback
  notice: Omit<ChannelNotice, 'fallback'>
  copies: Copy[]
}

/** A notice's delivery to one channel. */
interface Copy extends Carrier {
  deliveryId: number
}

/** The notices that a channel is to carry: all, or those of these deliveries. */
async function carriedBy(db: Db, channelId: number, uuids?: readonly string[]): Promise<Carried[]> {
  const rows = await db.sql
    .selectFrom('deliveries')
    .select(['notice', 'created_at'])
    .where('channel_id', '=', channelId)
    .where('check_id', 'is', null)
    .where('notice', 'is not', null)
    .$if(uuids !== undefined, query => query.where('uuid', 'in', uuids!))
    .orderBy('id')
    .execute()
  const carried: Carried[] = []
  for (const { notice: json, created_at } of rows) {
    const { fallback, ...notice }: ChannelNotice = JSON.parse(json!)
    if (!fallback) continue
    const copies = await copiesOf(db, channelId, { json: json!, createdAt: created_at })
    if (copies.length > 0) carried.push({ fallback, notice, copies })
  }
  return carried
}

/**
 * What one call of {@link notifyOthers} added with the e-mail and still waits. It is locked, so that if several channels
 * end a notice at the same time, the last one knows.
 */
async function copiesOf(
  db: Db,
  channelId: number,
  { json, createdAt }: { json: string; createdAt: number },
): Promise<Copy[]> {
  return await db.sql
    .selectFrom('deliveries as copy')
    .innerJoin('channels as other', 'other.id', 'copy.channel_id')
    .select(['copy.id as deliveryId', ...CARRIER_COLUMNS])
    .where('other.project_id', '=', eb =>
      eb.selectFrom('channels').select('project_id').where('id', '=', channelId),
    )
    .where('copy.check_id', 'is', null)
    .where('copy.created_at', '=', createdAt)
    .where('copy.notice', '=', json)
    .orderBy('copy.id')
    .$if(db.dialect.hasConcurrentWrites, query => query.forUpdate('copy'))
    .execute()
}

async function removeFallback(db: Db, { notice, copies }: Pick<Carried, 'notice' | 'copies'>): Promise<void> {
  const ids = copies.map(({ deliveryId }) => deliveryId)
  await db.sql
    .updateTable('deliveries')
    .set({ notice: JSON.stringify(notice) })
    .where('id', 'in', ids)
    .execute()
}

interface Carrier extends FailingColumns {
  kind: string
  disabled: 0 | 1
  confirmed: 0 | 1
}

const CARRIER_COLUMNS = [
  'other.id',
  'other.kind',
  'other.disabled',
  'other.confirmed',
  'other.failing_ms',
  'other.bounced_at',
  'other.bounced_ms',
] as const

/** The project's other enabled channels, locked so that none can be deleted. Not groups: their members are among them. */
async function othersOf(db: Db, channelId: number): Promise<Carrier[]> {
  return await db.sql
    .selectFrom('channels as broken')
    .innerJoin('channels as other', 'other.project_id', 'broken.project_id')
    .select(CARRIER_COLUMNS)
    .where('broken.id', '=', channelId)
    .where('other.disabled', '=', 0)
    .where('other.kind', '!=', 'group')
    .whereRef('other.id', '!=', 'broken.id')
    .orderBy('other.id')
    .$if(db.dialect.hasConcurrentWrites, query => query.forKeyShare('other'))
    .execute()
}

/** The e-mail that says what a notice would. */
function mailAbout({ mail }: Fallback, { about }: Pick<ChannelNotice, 'about'>): QueuedMail {
  return about ? { ...mail, about } : mail
}

/** Whether a channel can carry the notice when nothing fails. */
function canCarry({ kind, disabled, confirmed }: Carrier, { carriers }: Fallback): boolean {
  return carriers.includes(kind) && disabled === 0 && confirmed === 1
}

/** Whether one of the channels can carry the notice now. One that fails may be the next that is given up. */
async function canBeCarried(
  db: Db,
  carriers: readonly Carrier[],
  fallback: Fallback,
  now: number,
): Promise<boolean> {
  for (const carrier of carriers)
    if (canCarry(carrier, fallback) && (await failingMsOf(db, carrier, now)) === 0) return true
  return false
}
