/** What the sender of event webhooks reads and writes. A webhook belongs to one process for the time of a lease. */

import type { RecordedEvent } from '../../core/events/event.js'
import { afterFailure, WEBHOOK_LIMITS, type Webhook } from '../../core/events/webhook.js'
import { unclaimed } from '../claims.js'
import type { Db } from '../db.js'
import { poll, readWithoutSnapshot, write } from '../method.js'
import { type QueuedMail, queueProjectMails } from '../people/mails.js'
import { toEvent } from './event-rows.js'
import { recordEvent } from './record-events.js'
import { toWebhook, webhookValues } from './webhook-rows.js'

/** A webhook of this process. */
export interface ClaimedWebhook extends Webhook {
  /** Sealed. */
  secret: string
  /** The ID up to which everything was delivered. */
  deliveredId: number
}

/** Whether any webhook is enabled: without one, nothing else is asked. */
export const hasWebhooks = poll(async (db: Db): Promise<boolean> => {
  const rows = await db.sql
    .selectFrom('event_webhooks')
    .select('id')
    .where('enabled', '=', 1)
    .limit(1)
    .execute()
  return rows.length > 0
})

/** A webhook that is due. */
export interface DueWebhook {
  id: number
  projectId: number
  /** The duration of its last request (ms) if that arrived; null if it did not, or if there was none. */
  answeredWithin: number | null
}

/**
 * The webhooks that are due at `now`, unclaimed, and have events of their project up to `final`, in the order of their
 * IDs; none of a project that is being deleted.
 */
export const dueWebhooks = poll(
  async (db: Db, { now, final, after, limit, not }: DueQuery): Promise<DueWebhook[]> =>
    await db.sql
      .selectFrom('event_webhooks as w')
      .innerJoin('projects as p', 'p.id', 'w.project_id')
      .select(['w.id', 'w.project_id as projectId'])
      .select(eb =>
        eb
          .selectFrom('event_attempts as a')
          .select(of => of.case().when('a.error', '=', '').then(of.ref('a.duration_ms')).end().as('within'))
          .whereRef('a.webhook_id', '=', 'w.id')
          .orderBy('a.id', 'desc')
          .limit(1)
          .as('answeredWithin'),
      )
      .where('p.deleting', '=', 0)
      .where('w.id', '>', after)
      .where('w.enabled', '=', 1)
      .where('w.due_at', '<=', now)
      .where(unclaimed(now, 'w'))
      .$if(not.length > 0, query => query.where('w.project_id', 'not in', not))
      .where(eb =>
        eb.exists(
          eb
            .selectFrom('events as e')
            .select('e.id')
            .whereRef('e.project_id', '=', 'w.project_id')
            .whereRef('e.id', '>', 'w.delivered_id')
            .where('e.id', '<=', final),
        ),
      )
      .orderBy('w.id')
      .limit(limit)
      .execute(),
)

export interface DueQuery {
  now: number
  final: number
  /** The ID after which they come. */
  after: number
  limit: number
  /** Projects that have enough requests under way. */
  not: readonly number[]
}

/** Who holds a webhook. */
export interface WebhookLease {
  worker: string
  now: number
  leaseUntil: number
}

/** Claims a webhook; null if others did, it is disabled or gone, or its project is being deleted. */
export const claimWebhook = write(
  async (db: Db, id: number, { worker, now, leaseUntil }: WebhookLease): Promise<ClaimedWebhook | null> => {
    const row = await db.sql
      .updateTable('event_webhooks')
      .set({ claimed_by: worker, claimed_until: leaseUntil })
      .where('id', '=', id)
      .where('enabled', '=', 1)
      .where('due_at', '<=', now)
      .where(unclaimed(now))
      .where(eb =>
        eb.exists(
          eb
            .selectFrom('projects as p')
            .select('p.id')
            .whereRef('p.id', '=', 'event_webhooks.project_id')
            .where('p.deleting', '=', 0),
        ),
      )
      .returningAll()
      .executeTakeFirst()
    return row ? toClaimed(row) : null
  },
)

/**
 * The next event that a webhook wants, up to `final`; null if there is none. An event with a smaller ID than that of the
 * webhook's creation comes, too, if it happened later: on PostgreSQL, IDs are not drawn in the order of time.
 */
export const nextEvent = readWithoutSnapshot(
  async (db: Db, webhook: ClaimedWebhook, final: number): Promise<RecordedEvent | null> => {
    const { projectId, uuid, types, deliveredId, createdAt } = webhook
    const { created } = await db.sql
      .selectFrom('events')
      .select(eb => eb.fn.max('id').as('created'))
      .where('object_id', '=', uuid)
      .where('type', '=', 'webhook.created')
      .executeTakeFirstOrThrow()
    const row = await db.sql
      .selectFrom('events')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('id', '>', deliveredId)
      .where('id', '<=', final)
      .where(eb => eb.or([eb('id', '>', Number(created ?? 0)), eb('created_at', '>', createdAt)]))
      .$if(types.length > 0, query => query.where('type', 'in', types))
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    return row ? toEvent(row) : null
  },
)

/** What became of a request. */
export interface SentEvent {
  eventId: number
  type: string
  at: number
  durationMs: number
  status: number | null
  /** Empty: it arrived. */
  error: string
}

/**
 * Moves the cursor past an event that arrived, or makes the webhook wait after a failure; disables it after three days
 * of failures, with `mail` to the owner and the managers. Returns the webhook as it is now, claimed on; null if it is
 * not this worker's any more, or has to wait.
 */
export const settleWebhook = write(
  async (
    db: Db,
    id: number,
    { worker, now, leaseUntil }: WebhookLease,
    sent: SentEvent,
    mail: QueuedMail | null,
  ): Promise<ClaimedWebhook | null> => {
    const row = await mine(db, id, worker, { claimed_until: leaseUntil })
    if (!row) return null
    await noteAttempt(db, id, sent)
    if (sent.error === '') {
      const set = {
        delivered_id: sent.eventId,
        failures: 0,
        failing_since: null,
        last_error: '',
        last_sent: now,
      }
      const after = await mine(db, id, worker, { ...set, due_at: now })
      return after && after.enabled === 1 ? toClaimed(after) : await release(db, id, worker)
    }
    const before = toWebhook(row)
    const { failures, failingSince, dueAt, givesUp } = afterFailure(before, now)
    const set = { failures, failing_since: failingSince, due_at: dueAt, last_error: sent.error }
    const disables = givesUp && before.enabled
    await mine(db, id, worker, { ...set, ...(disables ? { enabled: 0 as const } : {}) })
    if (disables) await noteDisabled(db, before, mail, now)
    return await release(db, id, worker)
  },
)

/** Moves the cursor past events that the webhook does not want, and gives the webhook back. */
export const releaseWebhook = write(
  async (db: Db, id: number, worker: string, upTo: number | null, now: number): Promise<void> => {
    if (upTo !== null) await mine(db, id, worker, { delivered_id: upTo, due_at: now })
    await release(db, id, worker)
  },
)

/** Notes a request, and forgets the oldest ones. */
async function noteAttempt(
  db: Db,
  id: number,
  { eventId, type, at, durationMs, status, error }: Omit<SentEvent, 'eventId'> & { eventId: number | null },
) {
  await db.sql
    .insertInto('event_attempts')
    .values({
      webhook_id: id,
      event_id: eventId,
      type,
      created_at: at,
      duration_ms: durationMs,
      status,
      error,
    })
    .execute()
  const old = await db.sql
    .selectFrom('event_attempts')
    .select('id')
    .where('webhook_id', '=', id)
    .orderBy('id', 'desc')
    .offset(WEBHOOK_LIMITS.attempts)
    .limit(1)
    .executeTakeFirst()
  if (!old) return
  await db.sql.deleteFrom('event_attempts').where('webhook_id', '=', id).where('id', '<=', old.id).execute()
}

/** Notes the result of a test. */
export const noteWebhookTest = write(
  async (db: Db, id: number, sent: Omit<SentEvent, 'eventId'>): Promise<void> => {
    const found = await db.sql
      .selectFrom('event_webhooks')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst()
    if (found) await noteAttempt(db, id, { ...sent, eventId: null })
  },
)

async function noteDisabled(db: Db, webhook: Webhook, mail: QueuedMail | null, now: number) {
  const { projectId, uuid, name } = webhook
  const { enabled } = webhookValues(webhook)
  const values = { before: { enabled }, after: { enabled: false } }
  await recordEvent(db, { projectId, type: 'webhook.disabled', object: { id: uuid, name }, ...values }, now)
  if (!mail) return
  const about = { webhook: uuid, trouble: 'disabled' as const }
  await queueProjectMails(db, { projectId, need: 'manage' }, { ...mail, about }, now)
}

type Columns = Partial<{
  claimed_by: null
  claimed_until: number | null
  delivered_id: number
  due_at: number
  failures: number
  failing_since: number | null
  last_error: string
  last_sent: number
  enabled: 0
}>

async function mine(db: Db, id: number, worker: string, set: Columns) {
  return await db.sql
    .updateTable('event_webhooks')
    .set(set)
    .where('id', '=', id)
    .where('claimed_by', '=', worker)
    .returningAll()
    .executeTakeFirst()
}

async function release(db: Db, id: number, worker: string): Promise<null> {
  await mine(db, id, worker, { claimed_by: null, claimed_until: null })
  return null
}

function toClaimed(row: NonNullable<Awaited<ReturnType<typeof mine>>>): ClaimedWebhook {
  return { ...toWebhook(row), secret: row.secret, deliveredId: row.delivered_id }
}
