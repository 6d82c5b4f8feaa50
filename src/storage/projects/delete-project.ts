/** Deletes projects in slices, so that pings need not wait for a long write. */
import { randomUUID } from 'node:crypto'
import { LINKS_END } from '../channels/change-channel.js'
import { removeChannel } from '../channels/channels.js'
import { MOST_DELIVERIES } from '../channels/count-targets.js'
import { lockProject, removeChecks } from '../checks/checks.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { skippingLocked } from '../locks.js'
import { poll, write } from '../method.js'
import { lockProjectsOf } from './lock-project.js'

/** The maximum number of events of its log deleted in one write. */
const EVENTS = 1_000

/** The maximum number of checks deleted in one write, with their logs; fewer if they have many channels. */
const CHECKS = 20

/** The maximum number of channels deleted in one write. */
const CHANNELS = 20

/** The maximum number of incidents deleted in one write. */
const INCIDENTS = 100

/**
 * Marks all projects that a person owns at this moment, or only `projectId`, as being deleted: from then on they keep
 * their owner, so that nobody else loses one, nobody sees them, their keys end, and nothing is sent about them. Returns
 * their IDs.
 */
export const markForDeletion = write(
  async (db: Db, ownerId: number, projectId?: number): Promise<number[]> => {
    await lockProjectsOf(db, ownerId)
    const marked = await db.sql
      .updateTable('projects')
      .set({ deleting: 1 })
      .where('owner_id', '=', ownerId)
      .$if(projectId !== undefined, query => query.where('id', '=', projectId!))
      .returning('id')
      .execute()
    const ids = marked.map(({ id }) => id)
    for (const id of ids) await withdraw(db, id)
    return ids
  },
)

/** Ends what leads into a project or out of it. Its checks take pings until their slice is deleted; their badges answer no more. */
async function withdraw(db: Db, projectId: number): Promise<void> {
  const unknown = { ping_key: null, badge_key: randomUUID() }
  await db.sql.updateTable('projects').set(unknown).where('id', '=', projectId).execute()
  for (const table of ['api_keys', 'api_tokens', 'invitations'] as const)
    await db.sql.deleteFrom(table).where('project_id', '=', projectId).execute()
  const silent = { disabled: 1 as const, ...LINKS_END }
  await db.sql.updateTable('channels').set(silent).where('project_id', '=', projectId).execute()
}

/**
 * Deletes a part of what a project has: of its checks with everything about them, else of its log, its channels or its incidents. Returns whether
 * there may be more.
 */
export const deleteSlice = write(async (db: Db, projectId: number): Promise<boolean> => {
  // Locked as a ping locks them, the project first, to avoid deadlocks, and so that no ping recorded in the meantime
  // is left behind.
  await lockProject(db, projectId)
  for (const deleteSome of PARTS) if (await deleteSome(db, projectId)) return true
  return false
})

/** Each deletes some of one kind and returns whether there were any. What is still being sent belongs to a channel, and to an incident after it. */
const PARTS = [deleteChecks, deleteEvents, deleteChannels, deleteIncidents]

async function deleteChecks(db: Db, projectId: number): Promise<boolean> {
  const { n } = await db.sql
    .selectFrom('channels')
    .select(eb => eb.fn.countAll<number | string>().as('n'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  // A check has a link, a delivery and more for each channel.
  const most = Math.max(1, Math.min(CHECKS, Math.floor(MOST_DELIVERIES / Math.max(1, Number(n)))))
  const rows = await db.sql
    .selectFrom('checks')
    .select('uuid')
    .where('project_id', '=', projectId)
    .limit(most)
    .execute()
  const checks = await db.dialect.loadChecks(rows.map(row => row.uuid))
  await removeChecks(db, projectId, idsOf(checks))
  return rows.length > 0
}

async function deleteEvents(db: Db, projectId: number): Promise<boolean> {
  const events = await firstIds(db, 'events', projectId, EVENTS)
  for (const some of chunks(events, db.dialect.maxParameters))
    await db.sql.deleteFrom('events').where('id', 'in', some).execute()
  return events.length > 0
}

async function deleteChannels(db: Db, projectId: number): Promise<boolean> {
  const channels = await firstIds(db, 'channels', projectId, CHANNELS)
  for (const id of channels) await removeChannel(db, id)
  return channels.length > 0
}

/** Those of the first incidents, after the messages that are kept for them. */
async function deleteIncidents(db: Db, projectId: number): Promise<boolean> {
  const ids = await firstIds(db, 'incidents', projectId, INCIDENTS)
  if (ids.length === 0) return false
  const messages = await db.sql
    .selectFrom('notifications')
    .select('id')
    .where('incident_id', 'in', ids)
    .limit(MOST_DELIVERIES)
    .execute()
  if (messages.length > 0)
    await db.sql.deleteFrom('notifications').where('id', 'in', idsOf(messages)).execute()
  if (messages.length < MOST_DELIVERIES) await db.sql.deleteFrom('incidents').where('id', 'in', ids).execute()
  return true
}

/** The first IDs of a project's rows, `most` at most. */
async function firstIds(
  db: Db,
  table: 'events' | 'channels' | 'incidents',
  projectId: number,
  most: number,
): Promise<number[]> {
  const query = db.sql.selectFrom(table).select('id').where('project_id', '=', projectId)
  return idsOf(await query.orderBy('id').limit(most).execute())
}

function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id)
}

/** The IDs of the projects that are being deleted. */
export const markedForDeletion = poll(async (db: Db): Promise<number[]> => {
  return idsOf(
    await db.sql.selectFrom('projects').select('id').where('deleting', '=', 1).orderBy('id').execute(),
  )
})

/**
 * Goes on with the deletion of a project that was interrupted, by one slice. Returns whether there may be more to do; false too if
 * another process is at work at it.
 */
export const deleteNext = write(async (db: Db, projectId: number): Promise<boolean> => {
  const marked = db.sql
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .where('deleting', '=', 1)
  if (!(await skippingLocked(db, marked).executeTakeFirst())) return false
  if (await deleteSlice(db, projectId)) return true
  await deleteProject(db, projectId)
  return false
})

/** Deletes a project with everything that it still has. */
const deleteProject = write(async (db: Db, projectId: number): Promise<void> => {
  while (await deleteSlice(db, projectId));
  await db.sql.deleteFrom('projects').where('id', '=', projectId).execute()
})

export { deleteProject as delete }
