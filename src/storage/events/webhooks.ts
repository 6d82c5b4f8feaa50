/** The event webhooks of projects, as people manage them. */

import { Refusal } from '../../core/errors.js'
import { changedFields } from '../../core/events/event.js'
import type { EventType } from '../../core/events/event-types.js'
import { WEBHOOK_LIMITS, type Webhook } from '../../core/events/webhook.js'
import type { Db } from '../db.js'
import { readWithoutSnapshot, write } from '../method.js'
import { newId } from '../new-id.js'
import { type Author, lockAuthor } from '../projects/lock-author.js'
import { recordEvent } from './record-events.js'
import { toWebhook, webhookValues, withoutPath } from './webhook-rows.js'

/** What a webhook is to be. Types: empty for all. */
export interface AskedWebhook {
  name: string
  url: string
  types: readonly EventType[]
  enabled: boolean
}

/** One request of a webhook. */
export interface WebhookAttempt {
  id: number
  /** Null: a test. */
  eventId: number | null
  type: string
  /** ms. */
  at: number
  durationMs: number
  /** Null: there was no answer. */
  status: number | null
  /** Empty: it arrived. */
  error: string
}

/** The webhooks of a project, oldest first. */
export const webhooks = readWithoutSnapshot(async (db: Db, projectId: number): Promise<Webhook[]> => {
  const rows = await ofProject(db, projectId).orderBy('id').execute()
  return rows.map(toWebhook)
})

/** A webhook of a project. Throws `Refusal('not-found')`. */
export const webhook = readWithoutSnapshot(
  async (db: Db, projectId: number, uuid: string): Promise<Webhook & { secret: string }> => {
    const row = await ofProject(db, projectId).where('uuid', '=', uuid).executeTakeFirst()
    if (!row) throw notFound()
    return { ...toWebhook(row), secret: row.secret }
  },
)

/** The newest requests of a webhook, newest first. */
export const webhookAttempts = readWithoutSnapshot(
  async (db: Db, webhookId: number): Promise<WebhookAttempt[]> =>
    await db.sql
      .selectFrom('event_attempts')
      .select(['id', 'event_id as eventId', 'type', 'created_at as at', 'duration_ms as durationMs'])
      .select(['status', 'error'])
      .where('webhook_id', '=', webhookId)
      .orderBy('id', 'desc')
      .limit(WEBHOOK_LIMITS.attempts)
      .execute(),
)

/**
 * Creates a webhook, which gets the events after its creation. `secret`: sealed. Throws a `Refusal`: `limit`, or
 * `forbidden` if its author may not create it any more.
 */
export const createWebhook = write(
  async (
    db: Db,
    projectId: number,
    {
      by,
      now,
      uuid,
      secret,
      ...asked
    }: AskedWebhook & { uuid: string; secret: string; by: Author; now: number },
  ): Promise<void> => {
    await lockAuthor(db, projectId, by, 'manage')
    const { n } = await db.sql
      .selectFrom('event_webhooks')
      .select(eb => eb.fn.countAll<number>().as('n'))
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow()
    if (Number(n) >= WEBHOOK_LIMITS.perProject) {
      throw new Refusal('limit', `a project can have ${WEBHOOK_LIMITS.perProject} event webhooks`)
    }
    const row = await db.sql
      .insertInto('event_webhooks')
      .values({
        ...(await newId(db, 'event_webhooks')),
        uuid,
        project_id: projectId,
        secret,
        ...columns(asked),
        delivered_id: 0,
        due_at: now,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const object = { id: uuid, name: asked.name }
    const after = withoutPath(webhookValues(toWebhook(row)))
    await recordEvent(db, { projectId, type: 'webhook.created', object, after }, now)
    await db.sql
      .updateTable('event_webhooks')
      .set({ delivered_id: await lastSettledId(db, projectId, now) })
      .where('id', '=', row.id)
      .execute()
  },
)

/** How long a transaction that writes events can take at most. */
const LONGEST_WRITE_MS = 60_000

/**
 * The newest ID before which no event of the project can appear any more. Writes of others may draw an ID before the
 * webhook is created and commit it later; `nextEvent` tells their events from older ones.
 */
async function lastSettledId(db: Db, projectId: number, now: number): Promise<number> {
  const last = await db.sql
    .selectFrom('events')
    .select('id')
    .where('project_id', '=', projectId)
    .where('created_at', '<', now - LONGEST_WRITE_MS)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.id ?? 0
}

/**
 * Changes what is given of a webhook. When it is enabled, or its address or secret changes, it is tried at once. Throws
 * a `Refusal`: `not-found`, or `forbidden` as {@link createWebhook}.
 */
export const updateWebhook = write(
  async (
    db: Db,
    projectId: number,
    uuid: string,
    { by, now, secret, ...asked }: Partial<AskedWebhook> & { secret?: string; by: Author; now: number },
  ): Promise<void> => {
    await lockAuthor(db, projectId, by, 'manage')
    const before = toWebhook(await existing(db, projectId, uuid))
    const after = { ...before, ...asked, types: [...(asked.types ?? before.types)] }
    const isNew = (after.enabled && !before.enabled) || after.url !== before.url || secret !== undefined
    await db.sql
      .updateTable('event_webhooks')
      .set({ ...columns(after), ...(secret === undefined ? {} : { secret }) })
      .$if(isNew, query => query.set({ failures: 0, failing_since: null, last_error: '', due_at: now }))
      .where('id', '=', before.id)
      .execute()
    const changed = changedFields(webhookValues(before), webhookValues(after))
    if (!changed && secret === undefined) return
    const rotated = secret === undefined ? {} : { secret: 'rotated' }
    const values = {
      before: withoutPath(changed?.before ?? {}),
      after: { ...withoutPath(changed?.after ?? {}), ...rotated },
    }
    await recordEvent(
      db,
      { projectId, type: 'webhook.updated', object: { id: uuid, name: after.name }, ...values },
      now,
    )
  },
)

/** Deletes a webhook. Throws as {@link updateWebhook}. */
export const deleteWebhook = write(
  async (
    db: Db,
    projectId: number,
    uuid: string,
    { by, now }: { by: Author; now: number },
  ): Promise<void> => {
    await lockAuthor(db, projectId, by, 'manage')
    const gone = await existing(db, projectId, uuid)
    await db.sql.deleteFrom('event_webhooks').where('id', '=', gone.id).execute()
    await recordDeleted(db, gone, now)
  },
)

/** Deletes all webhooks of the projects that a person owns, which the caller has locked. */
export async function deleteWebhooksOfOwner(db: Db, ownerId: number, now: number): Promise<void> {
  const owned = db.sql.selectFrom('projects').select('id').where('owner_id', '=', ownerId)
  const gone = await db.sql
    .deleteFrom('event_webhooks')
    .where('project_id', 'in', owned)
    .returningAll()
    .execute()
  for (const row of gone) await recordDeleted(db, row, now)
}

async function recordDeleted(db: Db, row: Awaited<ReturnType<typeof existing>>, now: number): Promise<void> {
  const gone = toWebhook(row)
  const before = withoutPath(webhookValues(gone))
  const object = { id: gone.uuid, name: gone.name }
  await recordEvent(db, { projectId: row.project_id, type: 'webhook.deleted', object, before }, now)
}

async function existing(db: Db, projectId: number, uuid: string) {
  const row = await ofProject(db, projectId).where('uuid', '=', uuid).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

function ofProject(db: Db, projectId: number) {
  return db.sql.selectFrom('event_webhooks').selectAll().where('project_id', '=', projectId)
}

function columns({ name, url, types, enabled }: AskedWebhook) {
  return { name, url, types: types.join(' '), enabled: enabled ? (1 as const) : (0 as const) }
}

function notFound(): Refusal {
  return new Refusal('not-found', 'event webhook not found')
}
