/** E-mails to people, stored so that a crash neither loses nor repeats them. */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Need } from '../../core/people/role.js'
import { chunks } from '../chunks.js'
import { unclaimed } from '../claims.js'
import type { Db } from '../db.js'
import { skippingLocked } from '../locks.js'
import { type MailAbout, subjectOf } from './mail-about.js'
import { MAY_GET_MAIL } from './may-get-mail.js'
import { peopleWho } from './people-who.js'
import { type RateLimit, takeFromLimits } from './rate-limits.js'

/** People can switch off `report` and `nag`; a `notice` says something that they must know. */
export type MailKind = 'report' | 'nag' | 'notice'

export interface QueuedMail {
  kind: MailKind
  subject: string
  text: string
  html: string
  /** Where the recipient stops such e-mails; empty if they cannot. */
  unsubscribeUrl: string
  /** What it says about which channel, event webhook or quota: it is tried for as long as that is true, and not sent after that. */
  about?: MailAbout
  /** When it is sent (ms); absent: now. */
  dueAt?: number
  /** The projects that it tells of; it is not sent to a person whose role in one of them does not allow `need` any more. */
  tells?: { projectIds: readonly number[]; need: Need }
}

/** An e-mail to the people of a project, subject to a rate limit. */
export interface TeamMail extends QueuedMail {
  limit: RateLimit
}

/**
 * Queues an e-mail to each of these people who may get e-mail; one about a trouble that lasts to all of them, because some may
 * get it later. See `claimMails`.
 */
export async function queueMails(
  db: Db,
  userIds: readonly number[],
  mail: QueuedMail,
  now: number,
): Promise<void> {
  const { about } = mail
  for (const some of chunks(userIds, Math.floor(db.dialect.maxParameters / 10))) {
    // One about a quota names only what came since the older ones.
    if (about && !('quota' in about)) await withdrawOlder(db, some, about, now)
    const people = await db.sql
      .selectFrom('users')
      .select('id')
      .where('id', 'in', some)
      .$if(!about, query => query.where(MAY_GET_MAIL))
      .execute()
    if (people.length === 0) continue
    const queued = await db.sql
      .insertInto('mails')
      .values(
        people.map(({ id }) => ({
          uuid: randomUUID(),
          user_id: id,
          kind: mail.kind,
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          unsubscribe_url: mail.unsubscribeUrl,
          about: about ? JSON.stringify(about) : null,
          due_at: mail.dueAt ?? now,
          created_at: now,
        })),
      )
      .returning('id')
      .execute()
    await noteProjects(
      db,
      queued.map(({ id }) => id),
      mail.tells,
    )
  }
}

/**
 * Deletes what waits for these people and says something about the same channel or event webhook, before what is newer is queued.
 * So e-mails do not gather for people who may not get any, or where no mail server is set up.
 */
async function withdrawOlder(
  db: Db,
  userIds: readonly number[],
  about: MailAbout,
  now: number,
): Promise<void> {
  const older = db.sql
    .selectFrom('mails')
    .select('id')
    .where('user_id', 'in', userIds)
    .where('about', 'like', `%${subjectOf(about)}%`)
    .where(unclaimed(now))
  await db.sql.deleteFrom('mails').where('id', 'in', skippingLocked(db, older)).execute()
}

async function noteProjects(db: Db, mailIds: readonly number[], tells: QueuedMail['tells']): Promise<void> {
  if (!tells) return
  const { need } = tells
  const rows = mailIds.flatMap(mail_id => tells.projectIds.map(project_id => ({ mail_id, project_id, need })))
  for (const some of chunks(rows, Math.floor(db.dialect.maxParameters / 3)))
    await db.sql.insertInto('mail_projects').values(some).execute()
}

/** Queues an e-mail to everyone whose role in the project allows `need`. */
export async function queueProjectMails(
  db: Db,
  { projectId, need }: { projectId: number; need: Need },
  mail: QueuedMail,
  now: number,
): Promise<void> {
  const people = await db.sql
    .selectFrom('users')
    .select('id')
    .where('id', 'in', peopleWho(sql.val(projectId), sql.val(need)))
    .execute()
  const ids = people.map(({ id }) => id)
  await queueMails(db, ids, { ...mail, tells: { need, projectIds: [projectId] } }, now)
}

/** Queues an e-mail to everyone in a channel's project, unless its rate limit is reached. */
export async function queueTeamMails(db: Db, channelId: number, mail: TeamMail, now: number): Promise<void> {
  if ((await takeFromLimits(db, [mail.limit], now)) > 0) return
  await queueChannelMails(db, channelId, 'read', mail, now)
}

/** Queues an e-mail to the owner and the managers of a channel's project. */
export async function queueManagerMails(
  db: Db,
  channelId: number,
  mail: QueuedMail,
  now: number,
): Promise<void> {
  await queueChannelMails(db, channelId, 'manage', mail, now)
}

async function queueChannelMails(db: Db, channelId: number, need: Need, mail: QueuedMail, now: number) {
  const channel = await db.sql
    .selectFrom('channels')
    .select('project_id as projectId')
    .where('id', '=', channelId)
    .executeTakeFirst()
  if (channel) await queueProjectMails(db, { ...channel, need }, mail, now)
}

/**
 * Gives the notices about a project that wait for its former owner, and that they may not know any more, to the new owner,
 * unless the same one waits for them, too. Their role does not tell that: they may have it since. To be called after the
 * project has changed its owner.
 */
export async function handOverNotices(
  db: Db,
  { projectId, fromId, toId }: { projectId: number; fromId: number; toId: number },
): Promise<void> {
  await db.sql
    .updateTable('mails')
    .set({ user_id: toId })
    .where('user_id', '=', fromId)
    .where('kind', '=', 'notice')
    .where('id', 'in', eb =>
      eb
        .selectFrom('mail_projects as mp')
        .select('mp.mail_id')
        .where('mp.project_id', '=', projectId)
        .where(sql.val(fromId), 'not in', peopleWho(sql.ref('mp.project_id'), sql.ref('mp.need'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('mails as own')
            .select('own.id')
            .where('own.user_id', '=', toId)
            .where('own.kind', '=', 'notice')
            .whereRef('own.created_at', '=', 'mails.created_at')
            .whereRef('own.text', '=', 'mails.text'),
        ),
      ),
    )
    .execute()
}
