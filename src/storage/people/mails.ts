/**
 * E-mails to people, stored so that a crash neither loses nor repeats them, and claimed with
 * a lease as deliveries are.
 */

import { randomUUID } from 'node:crypto'
import { type SqlBool, sql } from 'kysely'
import type { Need } from '../../core/people/role.js'
import { chunks } from '../chunks.js'
import { type Claim, claimRows, unclaimed } from '../claims.js'
import type { Db } from '../db.js'
import { skippingLocked } from '../locks.js'
import { write } from '../method.js'
import { type MailAbout, untrueOf } from './mail-about.js'
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
  /** What it says about which channel or event webhook: it is tried for as long as that is true, and not sent after that. */
  about?: MailAbout
  /** The projects that it tells of; it is not sent to a person whose role in one of them does not allow `need` any more. */
  tells?: { projectIds: readonly number[]; need: Need }
}

export interface ClaimedMail extends Omit<QueuedMail, 'about' | 'tells'> {
  /** The Message-ID, which a repeat shares. */
  uuid: string
  userUuid: string
  /** The person's current address. */
  to: string
  /** Attempts made before this one. */
  attempts: number
  createdAt: number
  /** Whether it is tried for as long as what it says is true; others for a day. */
  lasting: boolean
}

/** An e-mail to the people of a project, subject to a rate limit. */
export interface TeamMail extends QueuedMail {
  limit: RateLimit
}

/** A condition on `mails` as `m`, and `users`: the person's roles in the projects that the e-mail tells of allow it. */
const MAY_STILL_KNOW = sql<SqlBool>`NOT EXISTS (
  SELECT 1 FROM mail_projects mp WHERE mp.mail_id = m.id
    AND users.id NOT IN ${peopleWho(sql.ref('mp.project_id'), sql.ref('mp.need'))}
)`

/** Queues an e-mail to each of these people who may get e-mail. */
export async function queueMails(
  db: Db,
  userIds: readonly number[],
  mail: QueuedMail,
  now: number,
): Promise<void> {
  for (const some of chunks(userIds, Math.floor(db.dialect.maxParameters / 10))) {
    const people = await db.sql
      .selectFrom('users')
      .select('id')
      .where('id', 'in', some)
      .where(MAY_GET_MAIL)
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
          about: mail.about ? JSON.stringify(mail.about) : null,
          due_at: now,
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

/**
 * Claims up to `limit` due e-mails for `worker` until `leaseUntil`. Those to people who may not get e-mail, or not know
 * what they say, any more are deleted, and those that say something that is not true any more.
 */
export const claimMails = write(async (db: Db, claim: Claim & { worker: string }): Promise<ClaimedMail[]> => {
  const due = await db.sql
    .selectFrom('mails')
    .select('id')
    .where('due_at', '<=', claim.now)
    .where(unclaimed(claim.now))
    .orderBy('due_at')
    .limit(claim.limit)
    .$call(query => skippingLocked(db, query))
    .execute()
  const mine = await claimRows(
    db,
    'mails',
    due.map(({ id }) => id),
    claim,
  )
  if (mine.length === 0) return []
  const rows = await db.sql
    .selectFrom('mails as m')
    .innerJoin('users', 'users.id', 'm.user_id')
    .selectAll('m')
    .select(['users.uuid as userUuid', 'users.email'])
    .where('m.id', 'in', mine)
    .where(MAY_GET_MAIL)
    .where(MAY_STILL_KNOW)
    .orderBy('m.id')
    .execute()
  const over = await untrueOf(
    db,
    rows.map(({ about }) => about),
  )
  const valid = rows.filter(({ about }) => about === null || !over.has(about))
  const wanted = new Set(valid.map(({ id }) => id))
  const rest = mine.filter(id => !wanted.has(id))
  await withdraw(db, rest, claim.now)
  return valid.map(row => ({
    uuid: row.uuid,
    userUuid: row.userUuid,
    to: row.email,
    kind: row.kind as MailKind,
    subject: row.subject,
    text: row.text,
    html: row.html,
    unsubscribeUrl: row.unsubscribe_url,
    attempts: row.attempts,
    createdAt: row.created_at,
    lasting: row.about !== null,
  }))
})

/**
 * Deletes e-mails that are not sent. A report or reminder that told of a project which the person left in the meantime is due
 * again, without it.
 */
async function withdraw(db: Db, ids: readonly number[], now: number): Promise<void> {
  if (ids.length === 0) return
  const withdrawn = await db.sql
    .deleteFrom('mails')
    .where('id', 'in', ids)
    .returning(['user_id', 'kind'])
    .execute()
  const of = (one: MailKind) => withdrawn.filter(({ kind }) => kind === one).map(({ user_id }) => user_id)
  for (const [kind, column] of [
    ['report', 'next_report_at'],
    ['nag', 'next_nag_at'],
  ] as const) {
    const people = of(kind)
    if (people.length === 0) continue
    await db.sql
      .updateTable('users')
      .set({ [column]: now })
      .where('id', 'in', people)
      .where(column, '>', now)
      .where(MAY_GET_MAIL)
      .execute()
  }
}
