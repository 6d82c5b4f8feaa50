/** The e-mails to people that are due. They are claimed with a lease, as deliveries are. */
import { type SqlBool, sql } from 'kysely'
import { type Claim, claimRows, unclaimed } from '../claims.js'
import type { Db } from '../db.js'
import { skippingLocked } from '../locks.js'
import { poll, write } from '../method.js'
import { type MailAbout, untrueOf } from './mail-about.js'
import type { MailKind, QueuedMail } from './mails.js'
import { MAY_GET_MAIL } from './may-get-mail.js'
import { peopleWho } from './people-who.js'

/** An e-mail that waits to be sent. */
export interface DueMail {
  id: number
  dueAt: number
  /** Who takes turns for it: the project of a notice, or minus the ID of the person of a report or reminder. */
  owner: number
  /** The domain of the person's address. */
  domain: string
}

/** A page of due e-mails: those after one of these, or the first. */
interface PageOfMails {
  now: number
  after: Pick<DueMail, 'dueAt' | 'id'> | null
  limit: number
}

/** Unclaimed e-mails that are due at `now`, in the order of their due times and IDs. */
export const dueMails = poll(async (db: Db, { now, after, limit }: PageOfMails): Promise<DueMail[]> => {
  const rows = await db.sql
    .selectFrom('mails as m')
    .innerJoin('users', 'users.id', 'm.user_id')
    .select(['m.id', 'm.due_at as dueAt', 'm.kind', 'm.user_id', 'users.email'])
    .select(eb =>
      eb
        .selectFrom('mail_projects as mp')
        .select(({ fn }) => fn.min('mp.project_id').as('id'))
        .whereRef('mp.mail_id', '=', 'm.id')
        .as('projectId'),
    )
    .where('m.due_at', '<=', now)
    .where(unclaimed(now, 'm'))
    .$if(after !== null, query =>
      query
        .where('m.due_at', '>=', after!.dueAt)
        .where(eb => eb.or([eb('m.due_at', '>', after!.dueAt), eb('m.id', '>', after!.id)])),
    )
    .orderBy('m.due_at')
    .orderBy('m.id')
    .limit(limit)
    .execute()
  return rows.map(({ id, dueAt, kind, user_id, email, projectId }) => ({
    id,
    dueAt,
    owner: kind === 'notice' && projectId !== null ? projectId : -user_id,
    domain: email.slice(email.lastIndexOf('@') + 1),
  }))
})

export interface ClaimedMail extends Omit<QueuedMail, 'about' | 'dueAt' | 'tells'> {
  id: number
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
  /** See `QueuedMail`. */
  about: MailAbout | null
}

/** A condition on `mails` as `m`, and `users`: the person's roles in the projects that the e-mail tells of allow it. */
const MAY_STILL_KNOW = sql<SqlBool>`NOT EXISTS (
  SELECT 1 FROM mail_projects mp WHERE mp.mail_id = m.id
    AND users.id NOT IN ${peopleWho(sql.ref('mp.project_id'), sql.ref('mp.need'))}
)`

/** How long (ms) an e-mail about a trouble that lasts waits until the person is looked at again who may not get e-mail. */
const LOOK_AGAIN_MS = 3_600_000

/**
 * Claims those of the e-mails with these IDs that are still due, for `worker` until `leaseUntil`. Those to people who may not
 * know what they say any more are deleted, and those that say something that is not true any more. Of those to people who
 * may not get e-mail, the ones about a trouble that lasts wait; the others are deleted, too. So are those that were sent and did not
 * bounce.
 */
export const claimMails = write(
  async (
    db: Db,
    { ids, ...claim }: Omit<Claim, 'limit'> & { worker: string; ids: readonly number[] },
  ): Promise<ClaimedMail[]> => {
    const due = await db.sql
      .selectFrom('mails')
      .select('id')
      .where('id', 'in', ids)
      .where('due_at', '<=', claim.now)
      .where(unclaimed(claim.now))
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
      .select(['users.uuid as userUuid', 'users.email', MAY_GET_MAIL.as('mayGetMail')])
      .where('m.id', 'in', mine)
      .where(MAY_STILL_KNOW)
      .orderBy('m.id')
      .execute()
    const over = await untrueOf(
      db,
      rows.map(({ about }) => about),
      claim.now,
    )
    const current = rows.filter(
      ({ about, sent_at }) => sent_at === null && (about === null || !over.has(about)),
    )
    const valid = current.filter(({ mayGetMail }) => mayGetMail)
    const waiting = current.filter(({ mayGetMail, about }) => !mayGetMail && about !== null)
    await postpone(db, idsOf(waiting), claim.now + LOOK_AGAIN_MS)
    const kept = new Set(idsOf([...valid, ...waiting]))
    const rest = mine.filter(id => !kept.has(id))
    await withdraw(db, rest, claim.now)
    return valid.map(row => ({
      id: row.id,
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
      about: row.about === null ? null : JSON.parse(row.about),
    }))
  },
)

/** Releases e-mails that were claimed until they are due again. */
async function postpone(db: Db, ids: readonly number[], due_at: number): Promise<void> {
  if (ids.length === 0) return
  await db.sql
    .updateTable('mails')
    .set({ due_at, claimed_by: null, claimed_until: null })
    .where('id', 'in', ids)
    .execute()
}

function idsOf(mails: readonly { id: number }[]): number[] {
  return mails.map(({ id }) => id)
}

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
