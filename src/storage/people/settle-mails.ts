/** What becomes of e-mails that were claimed: sent, given up, retried or released. */
import { sql } from 'kysely'
import { nextMailAttemptAt, TRY_FOR_MS } from '../../core/alerts/delivery/retry.js'
import { claimantsOf } from '../claims.js'
import type { Db } from '../db.js'
import { LOCK_WAIT, skippingLocked } from '../locks.js'
import { poll, write } from '../method.js'
import { queueNextQuotaMail } from './quota-mails.js'
import type { QuotaTrouble } from './unsent-alerts.js'

/**
 * The result of an attempt that ended at `now`. `retryAt`: when an e-mail that failed is retried; `bouncesUntil`: until when one that was
 * sent, and is to be sent again then, may bounce; `next`: what the next one about a quota that was sent is about. Instants in ms.
 */
export interface SettledMail {
  worker: string
  uuid: string
  outcome: 'sent' | 'gave-up' | { retryAt: number }
  bouncesUntil?: number
  next?: QuotaTrouble
  now: number
}

/**
 * Settles an attempt. Returns false if the claim was lost in the meantime. Fails if the e-mail is locked for long, see `isLocked` in
 * errors.ts.
 */
export const settleMail = write(settle, LOCK_WAIT)

async function settle(db: Db, settled: SettledMail): Promise<boolean> {
  const { outcome, next, now } = settled
  if (typeof outcome === 'object') return await retry(db, settled, outcome.retryAt)
  const userId = await end(db, settled)
  if (userId !== null && next) await queueNextQuotaMail(db, userId, next, now)
  return userId !== null
}

/** Deletes an e-mail, or keeps it as sent for as long as it may bounce. Returns whom it was for; null if the claim was lost. */
async function end(
  db: Db,
  { worker, uuid, outcome, bouncesUntil, now }: SettledMail,
): Promise<number | null> {
  const isKept = outcome === 'sent' && bouncesUntil !== undefined
  const ended = isKept
    ? await db.sql
        .updateTable('mails')
        .set({
          sent_at: now,
          failing_since: null,
          due_at: bouncesUntil,
          claimed_by: null,
          claimed_until: null,
        })
        .where('uuid', '=', uuid)
        .where('claimed_by', '=', worker)
        .returning('user_id')
        .executeTakeFirst()
    : await db.sql
        .deleteFrom('mails')
        .where('uuid', '=', uuid)
        .where('claimed_by', '=', worker)
        .returning('user_id')
        .executeTakeFirst()
  return ended?.user_id ?? null
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
      due_at: retryAt,
      claimed_by: null,
      claimed_until: null,
    }))
    .where('uuid', '=', uuid)
    .where('claimed_by', '=', worker)
    .executeTakeFirst()
  return Number(again.numUpdatedRows) > 0
}

/** No e-mail takes this long (ms) to send. */
const LONGEST_SENDING_MS = 600_000

/**
 * An e-mail that was sent came back: it is sent again after a pause, as one that was refused. `signedAt` (ms): when the sending began that
 * bounced. Returns false if the e-mail is not known any more, waits already, or was sent again since.
 */
export const noteMailBounced = write(
  async (
    db: Db,
    { uuid, signedAt, now }: { uuid: string; signedAt: number; now: number },
  ): Promise<boolean> => {
    const kept = await db.sql
      .selectFrom('mails')
      .select(['attempts', 'created_at as since'])
      .where('uuid', '=', uuid)
      .where('sent_at', '<=', signedAt + LONGEST_SENDING_MS)
      .executeTakeFirst()
    if (!kept) return false
    const attempts = kept.attempts + 1
    const { numUpdatedRows } = await db.sql
      .updateTable('mails')
      .set({
        attempts,
        sent_at: null,
        due_at: nextMailAttemptAt({ since: kept.since, attempts, lasting: true }, now)!,
      })
      .where('uuid', '=', uuid)
      .where('sent_at', 'is not', null)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows) > 0
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
      .set({ claimed_by: null, claimed_until: null, due_at: now })
      .where('id', 'in', free)
      .execute()
  },
)
