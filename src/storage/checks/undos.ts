/** What people can still undo, and what is carried out when they no longer can. Decision 0116. */
import { randomUUID } from 'node:crypto'
import { type Planned, type Undoable, undoableUntil } from '../../core/checks/undo.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { announcedWrite, poll, write } from '../method.js'

/** When a planned change that failed is tried again (ms). */
const AGAIN_MS = 60_000

/** The pattern of the planned deletions among the changes. */
export const DELETIONS = '{"plan":"delete"%'

interface Doing {
  projectId: number
  userId: number
  change: Undoable
  now: number
}

/**
 * Keeps what a person did or plans. Returns the name by which it is undone. Pages leave out checks that are to be
 * deleted. A check has one plan, the newest, so that it is undone even if its form was sent twice.
 */
export const keepUndo = announcedWrite(
  async (db: Db, { projectId, userId, change, now }: Doing): Promise<{ uuid: string }> => {
    if ('plan' in change) await dropPlansOf(db, projectId, change.checks)
    const uuid = randomUUID()
    await db.sql
      .insertInto('undos')
      .values({
        uuid,
        project_id: projectId,
        user_id: userId,
        change: JSON.stringify(change),
        until_at: undoableUntil(now),
      })
      .execute()
    return { uuid }
  },
)

/**
 * Takes what this person did in this project, so that it is undone once, and nothing that was planned is carried out.
 * Null: it is too late, or it is not theirs.
 */
export const takeUndo = announcedWrite(
  async (
    db: Db,
    asked: { uuid: string; projectId: number; userId: number; now: number },
  ): Promise<{ change: Undoable } | null> => {
    const row = await db.sql
      .deleteFrom('undos')
      .where('uuid', '=', asked.uuid)
      .where('project_id', '=', asked.projectId)
      .where('user_id', '=', asked.userId)
      .where('until_at', '>', asked.now)
      .where('claimed', '=', 0)
      .returning('change')
      .executeTakeFirst()
    return row ? { change: JSON.parse(row.change) } : null
  },
)

/** When the time to undo something is over next (ms), or null. */
export const nextUndoEnd = poll(async (db: Db): Promise<number | null> => {
  const row = await db.sql
    .selectFrom('undos')
    .select('until_at')
    .orderBy('until_at')
    .limit(1)
    .executeTakeFirst()
  return row?.until_at ?? null
})

/** A planned change whose time has come. */
export type DuePlan = Planned & { uuid: string; projectId: number; userId: number }

/** Forgets what can no longer be undone, and claims the planned changes in it for a minute, to be carried out now. */
export const endUndos = write(async (db: Db, now: number): Promise<DuePlan[]> => {
  const rows = await db.sql
    .updateTable('undos')
    .set({ claimed: 1, until_at: now + AGAIN_MS })
    .where('until_at', '<=', now)
    .returning(['uuid', 'project_id', 'user_id', 'change'])
    .execute()
  const due: DuePlan[] = []
  for (const { uuid, project_id: projectId, user_id: userId, change } of rows) {
    const read = JSON.parse(change) as Undoable
    if ('plan' in read) due.push({ ...read, uuid, projectId, userId })
    else await dropUndo(db, uuid)
  }
  return due
})

/** Forgets a planned change after it was carried out, or instead: pages then show its checks again. */
export const dropUndo = announcedWrite(async (db: Db, uuid: string): Promise<void> => {
  await db.sql.deleteFrom('undos').where('uuid', '=', uuid).execute()
})

/** The UUIDs of the checks of these projects that are about to be deleted, which pages leave out. Usually none. */
export async function leavingChecks(db: Db, projectIds: readonly number[]): Promise<ReadonlySet<string>> {
  const leaving = new Set<string>()
  for (const some of chunks(projectIds, db.dialect.maxParameters)) {
    const rows = await db.sql
      .selectFrom('undos')
      .select('change')
      .where('project_id', 'in', some)
      .where('change', 'like', DELETIONS)
      .execute()
    for (const { change } of rows)
      for (const uuid of (JSON.parse(change) as Planned).checks) leaving.add(uuid)
  }
  return leaving
}

async function dropPlansOf(db: Db, projectId: number, checks: readonly string[]): Promise<void> {
  const replaced = new Set(checks)
  const rows = await db.sql
    .selectFrom('undos')
    .select(['uuid', 'change'])
    .where('project_id', '=', projectId)
    .where('claimed', '=', 0)
    .execute()
  for (const { uuid, change } of rows) {
    const read = JSON.parse(change) as Undoable
    if (!('plan' in read)) continue
    const kept = read.checks.filter(check => !replaced.has(check))
    if (kept.length === read.checks.length) continue
    const left = JSON.stringify({ ...read, checks: kept })
    await db.sql.updateTable('undos').set({ change: left }).where('uuid', '=', uuid).execute()
  }
}
