/**
 * E-mails about a monthly quota. A person who gets one has the next one waiting, a day later: when that is due it names what exceeded the
 * quota in the meantime, or is withdrawn if nothing did. Decision 0102.
 */
import { sql } from 'kysely'
import { type Quota, quotaError } from '../../../core/alerts/delivery/quota.js'
import type { Db } from '../../db.js'
import { lockedRows } from '../../locks.js'
import { subjectOf } from '../mail-about.js'
import { queueMails } from '../mails.js'
import { peopleWho } from '../people-who.js'
import { type QuotaTrouble, SEEN_WITHIN_MS } from '../unsent-alerts.js'

/** How long (ms) after an e-mail the next one follows. */
const NEXT_AFTER_MS = 86_400_000

/**
 * Alerts of a project exceed a quota: queues an e-mail to each of its people for whom none waits. To be called after the account's count
 * was locked, so that no two transactions queue one.
 */
export async function queueQuotaMails(
  db: Db,
  { projectId, kind }: { projectId: number; kind: string },
  { called }: Pick<Quota, 'called'>,
  now: number,
): Promise<void> {
  const { uuid } = await db.sql
    .selectFrom('projects')
    .select('uuid')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  const about: QuotaTrouble = { quota: kind, project: uuid, called, since: now - SEEN_WITHIN_MS }
  // One that is due now is not withdrawn before it can see what exceeds the quota.
  await lockedRows(db, waiting(db, about).select('id')).execute()
  const people = await db.sql
    .selectFrom('users')
    .select('id')
    .where('id', 'in', peopleWho(sql.val(projectId), sql.val('read')))
    .where('id', 'not in', waiting(db, about).select('user_id'))
    .execute()
  const ids = people.map(({ id }) => id)
  await queue(db, ids, { projectId, about, dueAt: now }, now)
}

/**
 * A person was sent an e-mail about `about`: queues the next one. If others wait for them, because a copy came back, there is none: those that
 * would name again what this one has named become the next one, and an older one that came back names all once more.
 */
export async function queueNextQuotaMail(
  db: Db,
  { user_id, about, next }: { user_id: number; about: string | null; next: QuotaTrouble },
  now: number,
): Promise<void> {
  const project = await db.sql
    .selectFrom('projects')
    .select('id')
    .where('uuid', '=', next.project)
    .executeTakeFirst()
  if (!project) return
  // The clock may have been set back since the e-mail was composed.
  const since = Math.min(next.since, now - SEEN_WITHIN_MS)
  const following = { ...next, since }
  const others = await waiting(db, next).select(['id', 'about']).where('user_id', '=', user_id).execute()
  if (others.length === 0)
    await queue(db, [user_id], { projectId: project.id, about: following, dueAt: now + NEXT_AFTER_MS }, now)
  const newer = others.filter(other => sinceOf(other.about) >= sinceOf(about))
  // One that is being sent has named what it says.
  for (const { id } of newer)
    await db.sql
      .updateTable('mails')
      .set({ about: JSON.stringify(following) })
      .where('id', '=', id)
      .where('claimed_by', 'is', null)
      .execute()
}

function sinceOf(about: string | null): number {
  return (JSON.parse(about!) as QuotaTrouble).since
}

/** The e-mails about the quota that wait or are being sent. Those that were sent are kept for as long as they may bounce. */
function waiting(db: Db, about: QuotaTrouble) {
  return db.sql
    .selectFrom('mails')
    .where('about', 'like', `%${subjectOf(about)}%`)
    .where('sent_at', 'is', null)
}

/** The words are written when they are sent, see actions/people/mail/compose-quota-mail.ts. */
async function queue(
  db: Db,
  userIds: readonly number[],
  { projectId, about, dueAt }: { projectId: number; about: QuotaTrouble; dueAt: number },
  now: number,
): Promise<void> {
  const subject = quotaError(about)
  const words = { subject, text: subject, html: '', unsubscribeUrl: '' }
  const tells = { projectIds: [projectId], need: 'read' as const }
  await queueMails(db, userIds, { kind: 'notice', ...words, about, dueAt, tells }, now)
}
