/** What becomes of e-mails that were claimed: sent, given up, retried or released. */
import { sql } from 'kysely'
import { nextMailAttemptAt, TRY_FOR_MS } from '../../core/alerts/delivery/retry.js'
import { claimantsOf } from '../claims.js'
import type { Db } from '../db.js'
import { LOCK_WAIT, lockedRows, skippingLocked } from '../locks.js'
import { poll, write } from '../method.js'
import { queueNextQuotaMail } from './quotas/quota-mails.js'
import type { QuotaTrouble } from './unsent-alerts.js'

/**
 * The result of an attempt that ended at `now`. `retryAt`: when an e-mail that failed is retried; `mayBounce`: that one that was sent is to be
 * sent again if it bounces; `next`: what the next one about a quota that was sent is about. Instants in ms.
 */
export interface SettledMail {
  worker: string
  uuid: string
  outcome: 'sent' | 'gave-up' | { retryAt: number }
  mayBounce?: Sending
  next?: QuotaTrouble
  now: number
}

const FREE = { claimed_by: null, claimed_until: null }

/** When the sending of an e-mail began, until when it may bounce (ms), and the number of attempts before it. */
export interface Sending {
  startedAt: number
  bouncesUntil: number
  attempts: number
}

/**
 * Settles an attempt. Returns false if the claim was lost in the meantime. Fails if the e-mail is locked for long, see `isLocked` in
 * errors.ts.
 */
export const settleMail = write(settle, LOCK_WAIT)

async function settle(db: Db, settled: SettledMail): Promise<boolean> {
  const { outcome, mayBounce, next, now } = settled
  if (typeof outcome === 'object') return await retry(db, settled, outcome.retryAt)
  const isKept = outcome === 'sent' && mayBounce !== undefined
  const ended = await (isKept ? keep(db, settled, mayBounce) : end(db, settled))
  if (!ended) return isKept && (await releaseBounced(db, settled))
  if (next) await queueNextQuotaMail(db, { ...ended, next }, now)
  return true
}

/** Whom an e-mail was for, and what it was about, as `mails` has that. */
type Ended = { user_id: number; about: string | null } | undefined

/** Deletes an e-mail. Returns undefined if the claim was lost. */
async function end(db: Db, { worker, uuid }: SettledMail): Promise<Ended> {
  return await db.sql
    .deleteFrom('mails')
    .where('uuid', '=', uuid)
    .where('claimed_by', '=', worker)
    .returning(['user_id', 'about'])
    .executeTakeFirst()
}

/**
 * Keeps an e-mail as sent for as long as it may bounce. Returns undefined if the claim was lost, or the e-mail has bounced since it was
 * claimed, see `noteMailBounced`.
 */
async function keep(
  db: Db,
  { worker, uuid }: SettledMail,
  { startedAt, bouncesUntil, attempts }: Sending,
): Promise<Ended> {
  return await db.sql
    .updateTable('mails')
    .set({ ...FREE, sent_at: startedAt, failing_since: null, due_at: bouncesUntil })
    .where('uuid', '=', uuid)
    .where('claimed_by', '=', worker)
    .where('attempts', '=', attempts)
    .returning(['user_id', 'about'])
    .executeTakeFirst()
}

/** Releases an e-mail that bounced before its sending had ended: it is due then already. Returns false if the claim was lost. */
async function releaseBounced(db: Db, { worker, uuid }: SettledMail): Promise<boolean> {
  const { numUpdatedRows } = await db.sql
    .updateTable('mails')
    .set({ ...FREE, failing_since: null })
    .where('uuid', '=', uuid)
    .where('claimed_by', '=', worker)
    .executeTakeFirst()
  return Number(numUpdatedRows) > 0
}

/** Returns false if the claim was lost. */
async function retry(db: Db, { worker, uuid, now }: SettledMail, retryAt: number): Promise<boolean> {
  const again = await db.sql
    .updateTable('mails')
    .set(eb => ({
      attempts: eb('attempts', '+', 1),
      // What fails for more than a day while others are sent says nothing about the mail server.
      failing_since: sql<number | null>`CASE WHEN created_at > ${now - TRY_FOR_MS}
        THEN coalesce(failing_since, ${now}) ELSE failing_since END`,
      ...FREE,
      due_at: retryAt,
    }))
    .where('uuid', '=', uuid)
    .where('claimed_by', '=', worker)
    .executeTakeFirst()
  return Number(again.numUpdatedRows) > 0
}

/** The tokens of bounces say when the sending began in whole seconds of this length (ms). */
const SIGNED_WITHIN_MS = 1_000

/**
 * An e-mail about a trouble that lasts came back: it is sent again after a pause, as one that was refused. One that is being sent is so when
 * that has ended, which its settlement tells from the attempts. `signedAt` (ms): when the sending began that bounced. Returns false if the
 * e-mail is not known any more, waits already, or was sent again since.
 */
export const noteMailBounced = write(
  async (
    db: Db,
    { uuid, signedAt, now }: { uuid: string; signedAt: number; now: number },
  ): Promise<boolean> => {
    const found = db.sql
      .selectFrom('mails')
      .select(['attempts', 'created_at', 'due_at', 'sent_at', 'claimed_by'])
      .where('uuid', '=', uuid)
      .where('about', 'is not', null)
    const mail = await lockedRows(db, found).executeTakeFirst()
    if (!mail || (mail.sent_at === null && mail.claimed_by === null)) return false
    // What is being sent was begun after it was due, and the pause after an attempt is longer than a second.
    const begunAt = mail.sent_at ?? mail.due_at
    if (mail.attempts > 0 && begunAt >= signedAt + SIGNED_WITHIN_MS) return false
    const attempts = mail.attempts + 1
    const due_at = nextMailAttemptAt({ since: mail.created_at, attempts, lasting: true }, now)!
    await db.sql
      .updateTable('mails')
      .set({ attempts, sent_at: null, due_at })
      .where('uuid', '=', uuid)
      .execute()
    return true
  },
)

/** The number of e-mails whose failures one that is sent ends. If more wait, the next one ends theirs. */
const ENDED = 500

/** An e-mail was sent, so those that failed before say nothing about the mail server. Those that are locked are left. */
export const noteMailsWork = write(async (db: Db): Promise<void> => {
  const failing = await db.sql
    .selectFrom('mails')
    .select('id')
    .where('failing_since', 'is not', null)
    .limit(ENDED)
    .$call(query => skippingLocked(db, query))
    .execute()
  if (failing.length === 0) return
  const ids = failing.map(({ id }) => id)
  await db.sql.updateTable('mails').set({ failing_since: null }).where('id', 'in', ids).execute()
})

/** The names of the workers that hold claims on e-mails. */
export const mailClaimants = poll((db: Db) => claimantsOf(db, 'mails'))

/**
 * Releases what `workers` have claimed and not settled: it is due at `now`. Those in `sent` were sent, and are settled. What
 * another transaction has locked is left, and its claim runs out.
 */
export const releaseMails = write(
  async (
    db: Db,
    workers: readonly string[],
    now: number,
    sent: readonly SettledMail[] = [],
  ): Promise<void> => {
    const claimed = db.sql.selectFrom('mails').select('id').where('claimed_by', 'in', workers)
    const free = skippingLocked(db, claimed)
    if (sent.length > 0) {
      const uuids = sent.map(({ uuid }) => uuid)
      const found = await free.select('uuid').where('uuid', 'in', uuids).execute()
      const isFree = new Set(found.map(({ uuid }) => uuid))
      for (const one of sent.filter(({ uuid }) => isFree.has(uuid))) await settle(db, one)
    }
    await db.sql
      .updateTable('mails')
      .set({ ...FREE, due_at: now })
      .where('id', 'in', free)
      .execute()
  },
)
