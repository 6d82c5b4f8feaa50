/** A check is deleted or moved while channels last learned that it is down: kinds that keep something open have to close it. */
import { randomUUID } from 'node:crypto'
import { findCheckById } from '../checks/find-check.js'
import type { Db } from '../db.js'
import type { Closing } from './waiting.js'

/** How long an attempt under way may take: what closes the incident is sent after it. */
const ATTEMPT_MS = 40_000

/**
 * Leaves a closing message for each channel that learned that the check is down, or may be learning it now. Called before
 * what waits about the check is deleted. Returns whether there is one.
 */
export async function leaveClosings(db: Db, checkId: number, now: number): Promise<boolean> {
  const concerned = await db.sql
    .selectFrom('channels as c')
    .leftJoin('reported as r', join => join.onRef('r.channel_id', '=', 'c.id').on('r.check_id', '=', checkId))
    .leftJoin('deliveries as d', join =>
      join
        .onRef('d.channel_id', '=', 'c.id')
        .on('d.check_id', '=', checkId)
        .on(eb =>
          eb.or([eb('d.claimed_by', 'is not', null), eb('d.attempts', '>', 0), eb('d.missed', '=', 1)]),
        ),
    )
    .select(['c.id', 'r.flip_id as reported', 'd.claimed_by as sending'])
    .where(eb =>
      eb(
        'c.id',
        'in',
        eb
          .selectFrom('reported')
          .select('channel_id')
          .where('check_id', '=', checkId)
          .union(eb.selectFrom('deliveries').select('channel_id').where('check_id', '=', checkId)),
      ),
    )
    .where(eb => eb.or([eb('r.flip_id', 'is not', null), eb('d.id', 'is not', null)]))
    .execute()
  const about = concerned.length > 0 ? await closingOf(db, checkId, now) : null
  if (!about) return false
  const byChannel = new Map(concerned.map(row => [row.id, row]))
  for (const { id, reported } of byChannel.values()) {
    const sending = concerned.some(row => row.id === id && row.sending !== null)
    const closing: Closing = { ...about, reported: reported !== null }
    await db.sql
      .insertInto('deliveries')
      .values({
        uuid: randomUUID(),
        channel_id: id,
        closing: JSON.stringify(closing),
        // Whether the channel learned of it is not known: the plan is to close it all the same.
        attempts: reported === null ? 1 : 0,
        due_at: now + (sending ? ATTEMPT_MS : 0),
        created_at: now,
      })
      .execute()
  }
  return byChannel.size > 0
}

/** What a message says that closes an incident of a check that channels are not to hear of any more; null where it is gone. */
export async function closingOf(
  db: Db,
  checkId: number,
  now: number,
): Promise<Omit<Closing, 'reported'> | null> {
  const check = await findCheckById(db, checkId)
  if (!check) return null
  const project = await db.sql
    .selectFrom('projects')
    .select(['id', 'uuid', 'name'])
    .where('id', '=', check.projectId)
    .executeTakeFirstOrThrow()
  return { check, project, at: now }
}
