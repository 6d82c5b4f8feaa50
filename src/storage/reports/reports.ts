/** The people to whom a report or a reminder is due. Each is queued by compare-and-set on its due time. */

import { type SqlBool, sql, type UpdateResult } from 'kysely'
import type { ReportFrequency } from '../../core/reports/report.js'
import type { Db } from '../db.js'
import { poll, read, readWithoutSnapshot, write } from '../method.js'
import { accountDeleted } from '../people/lock-account.js'
import { type QueuedMail, queueMails } from '../people/mails.js'
import { MAY_GET_MAIL } from '../people/may-get-mail.js'
import type { Among } from '../set-aside.js'

export interface Addressee {
  userId: number
  userUuid: string
  email: string
  timezone: string
  reports: ReportFrequency
  nagSeconds: number
  /** When it is due; null for a report that is not planned yet. */
  dueAt: number | null
}

/** When the next report or reminder is due (ms), or null. */
export const nextWork = poll(async (db: Db): Promise<number | null> => {
  const report = db.sql
    .selectFrom('users')
    .select(eb => eb.fn.min('next_report_at').as('at'))
    .where('reports', '<>', 'off')
    .where(MAY_GET_MAIL)
  const nag = db.sql
    .selectFrom('users')
    .select(eb => eb.fn.min('next_nag_at').as('at'))
    .where('nag_s', '>', 0)
    .where(MAY_GET_MAIL)
  const rows = await report.unionAll(nag).execute()
  const instants = rows.flatMap(({ at }) => (at === null ? [] : [at]))
  return instants.length === 0 ? null : Math.min(...instants)
})

const ADDRESSEE = [
  'id as userId',
  'uuid as userUuid',
  'email',
  'timezone',
  'reports',
  'nag_s as nagSeconds',
] as const

/** The people whose report is due at `now` or not planned yet, without those in `except`. */
export const dueReports = read(
  async (db: Db, now: number, limit: number, except: readonly number[] = []): Promise<Addressee[]> => {
    return await db.sql
      .selectFrom('users')
      .select([...ADDRESSEE, 'next_report_at as dueAt'])
      .where('reports', '<>', 'off')
      .where(MAY_GET_MAIL)
      .where(eb => eb.or([eb('next_report_at', 'is', null), eb('next_report_at', '<=', now)]))
      .$if(except.length > 0, query => query.where('id', 'not in', except))
      .orderBy('next_report_at')
      .limit(limit)
      .execute()
  },
)

/** The people whose reminder is due at `now`, without those in `except`. */
export const dueNags = read(
  async (db: Db, now: number, limit: number, except: readonly number[] = []): Promise<Addressee[]> => {
    return await db.sql
      .selectFrom('users')
      .select([...ADDRESSEE, 'next_nag_at as dueAt'])
      .where('nag_s', '>', 0)
      .where(MAY_GET_MAIL)
      .where('next_nag_at', '<=', now)
      .$if(except.length > 0, query => query.where('id', 'not in', except))
      .orderBy('next_nag_at')
      .limit(limit)
      .execute()
  },
)

/** When the next one is due to a person, and the e-mail to send now (null: none). */
export interface Planned {
  addressee: Addressee
  next: number | null
  mail: QueuedMail | null
  now: number
}

/**
 * Plans the next report and queues this one, in one transaction. Returns false, and does nothing, if another process
 * was first or the person has changed their preferences.
 */
export const queueReport = write(async (db: Db, planned: Planned): Promise<boolean> => {
  const { addressee, next } = planned
  const mine = await db.sql
    .updateTable('users')
    .set({ next_report_at: next })
    .where('id', '=', addressee.userId)
    .where('email', '=', addressee.email)
    .where('reports', '=', addressee.reports)
    .where('timezone', '=', addressee.timezone)
    .where('next_report_at', addressee.dueAt === null ? 'is' : '=', addressee.dueAt)
    .executeTakeFirstOrThrow()
  return await queueIfMine(db, mine, planned)
})

/** Does the same for a reminder. */
export const queueNag = write(async (db: Db, planned: Planned): Promise<boolean> => {
  const { addressee, next } = planned
  const mine = await db.sql
    .updateTable('users')
    .set({ next_nag_at: next })
    .where('id', '=', addressee.userId)
    .where('email', '=', addressee.email)
    .where('nag_s', '=', addressee.nagSeconds)
    .where('next_nag_at', '=', addressee.dueAt)
    .executeTakeFirstOrThrow()
  return await queueIfMine(db, mine, planned)
})

async function queueIfMine(db: Db, mine: UpdateResult, { addressee, mail, now }: Planned): Promise<boolean> {
  if (Number(mine.numUpdatedRows) === 0) return false
  if (mail) await queueMails(db, [addressee.userId], mail, now)
  return true
}

/**
 * Plans reminders for people with a check that is down, and cancels those of people without one. `among`: which people; default all. Source:
 * docs/behaviour.md, section 2.8.
 */
export const planNags = write(async (db: Db, now: number, among: Among = {}): Promise<void> => {
  const { cancel, plan } = await unplanned(db)
  const { only, except = [] } = among
  const update = db.sql
    .updateTable('users')
    .$if(only !== undefined, query => query.where('id', 'in', only!))
    .$if(except.length > 0, query => query.where('id', 'not in', except))
  await update.set({ next_nag_at: null }).where(cancel).execute()
  await update
    .set(eb => ({ next_nag_at: eb(eb('nag_s', '*', 1_000), '+', now) }))
    .where(plan)
    .execute()
})

/** The IDs of people for whom {@link planNags} has something to do, without those in `except`. */
export const unplannedNags = readWithoutSnapshot(
  async (db: Db, except: readonly number[]): Promise<number[]> => {
    const { cancel, plan } = await unplanned(db)
    const rows = await db.sql
      .selectFrom('users')
      .select('id')
      .where(eb => eb.or([cancel, plan]))
      .$if(except.length > 0, query => query.where('id', 'not in', except))
      .execute()
    return rows.map(({ id }) => id)
  },
)

/** Conditions on `users`: a reminder is planned for a person who sees no check that is down, or none for one who sees one. */
async function unplanned(db: Db) {
  const wantsNags = sql`users.nag_s > 0 AND ${MAY_GET_MAIL}`
  const seesDown = sql`EXISTS (
    SELECT 1 FROM ${await downChecks(db)} c WHERE c.status = 'down' AND c.project_id IN (
      SELECT p.id FROM projects p WHERE p.owner_id = users.id
      UNION ALL SELECT m.project_id FROM members m WHERE m.user_id = users.id
    )
  )`
  return {
    cancel: sql<SqlBool>`(${wantsNags} AND users.next_nag_at IS NOT NULL AND NOT ${seesDown})`,
    plan: sql<SqlBool>`(${wantsNags} AND users.next_nag_at IS NULL AND ${seesDown})`,
  }
}

/** A table of the checks that are down: their list where checks are distributed, because there no write can look among them. */
async function downChecks(db: Db) {
  if (!db.dialect.isDistributed) return sql`checks`
  const rows = await db.sql
    .selectFrom('checks')
    .select('project_id')
    .distinct()
    .where('status', '=', 'down')
    .execute()
  const ids = rows.map(row => row.project_id)
  return sql`(SELECT unnest(${sql.val(ids)}::bigint[]) AS project_id, 'down' AS status)`
}

/** Which reports and reminders a person gets. */
export interface ReportWishes {
  reports: ReportFrequency
  nagSeconds: number
}

/** Which reports and reminders a person gets. Throws `Refusal('unauthorized')` if the account was deleted. */
export const wishes = read(async (db: Db, userId: number): Promise<ReportWishes> => {
  return await db.sql
    .selectFrom('users')
    .select(['reports', 'nag_s as nagSeconds'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow(accountDeleted)
})

/**
 * Sets which reports and reminders a person gets, by UUID; queued ones that they no longer want are deleted, and
 * unchanged ones stay planned. Returns whether the person exists.
 */
export const setWishes = write(async (db: Db, userUuid: string, wishes: ReportWishes): Promise<boolean> => {
  const before = await db.sql
    .selectFrom('users')
    .select(['id', 'reports', 'nag_s as nagSeconds'])
    .where('uuid', '=', userUuid)
    .executeTakeFirst()
  if (!before) return false
  const { reports, nagSeconds } = wishes
  await db.sql
    .updateTable('users')
    .set({ reports, nag_s: nagSeconds })
    .$if(reports !== before.reports, query => query.set({ next_report_at: null }))
    .$if(nagSeconds !== before.nagSeconds, query => query.set({ next_nag_at: null }))
    .where('id', '=', before.id)
    .execute()
  await deleteUnwanted(db, before.id, wishes)
  return true
})

/** Deletes the queued e-mails that a person with these wishes does not get. */
async function deleteUnwanted(db: Db, userId: number, { reports, nagSeconds }: ReportWishes): Promise<void> {
  const unwanted = [reports === 'off' ? 'report' : '', nagSeconds === 0 ? 'nag' : ''].filter(Boolean)
  if (unwanted.length === 0) return
  await db.sql.deleteFrom('mails').where('user_id', '=', userId).where('kind', 'in', unwanted).execute()
}

/** Which e-mail makes a person stop their reports; each names the account as it was then. */
export type StopReports = { userUuid: string } & (
  | { /** The address to which it was sent. */ email: string }
  | { /** The name of an imported account, whose address is still the imported one. */ importedName: string }
  | {
      /** When it was sent (ms): the account's address has been the same, and proven, since. */ sentAt: number
    }
)

/**
 * Switches a person's reports and reminders off and deletes the queued ones. Returns false, and does nothing, if the
 * account is gone, or has another address than the one to which the e-mail went.
 */
export const stopReports = write(async (db: Db, asked: StopReports): Promise<boolean> => {
  const stopped = await db.sql
    .updateTable('users')
    .set({ reports: 'off', nag_s: 0, next_report_at: null, next_nag_at: null })
    .where('uuid', '=', asked.userUuid)
    .where(eb => {
      if ('email' in asked) return eb('email', '=', asked.email)
      if ('importedName' in asked) return eb('imported_name', '=', asked.importedName)
      return eb('email_proven_at', '<=', asked.sentAt)
    })
    .returning('id')
    .executeTakeFirst()
  if (!stopped) return false
  await deleteUnwanted(db, stopped.id, { reports: 'off', nagSeconds: 0 })
  return true
})
