/** What people can still undo, and what is carried out when they no longer can. Decision 0116. */
import { sql } from 'kysely'
import {
  type Planned,
  type Step,
  UNDER_WAY_MS,
  type Undoable,
  undoableUntil,
} from '../../core/checks/undo.js'
import { type Actor, SYSTEM } from '../../lib/actor.js'
import type { Db } from '../db.js'
import { announcedWrite, poll, read, write } from '../method.js'
import { preparedList } from '../prepared.js'
import { type Doing, keepBatch, PLANS, recordPlan, type UndoPart } from './bulk-edit/keep-batch.js'
import { readUndo } from './bulk-edit/undo-text.js'

/** When a planned change that failed is tried again (ms). */
const AGAIN_MS = 60_000

/** How many are ended in one transaction: each may be about hundreds of checks. */
const ENDED_AT_ONCE = 20

/** The pattern of the planned deletions among the changes. */
export const DELETIONS = '{"plan":"delete"%'

/**
 * Keeps what a person did or plans. Returns the name by which it is undone. Pages leave out checks that are to be
 * deleted. A check has one plan, the newest, so that it is undone even if its form was sent twice.
 */
export const keepUndo = announcedWrite(
  async (db: Db, doing: Doing, part?: UndoPart): Promise<{ uuid: string }> => ({
    uuid: await keepBatch(db, [doing], part),
  }),
)

/** What this person did in one action: by its name. */
interface OwnUndo {
  uuid: string
  userId: number
  now: number
}

/** The time to undo an action of several transactions begins, for all that they did. */
export const offerUndo = write(async (db: Db, asked: OwnUndo): Promise<void> => {
  await ownUndos(db, asked)
    .set({ until_at: undoableUntil(asked.now) })
    .execute()
})

/**
 * The parts of an action that this person can undo, which are then undone one by one: if there are several, none of them runs out
 * while that goes on, and what they planned is not carried out, whatever happens. Empty: it is too late, or it is not theirs.
 */
export const beginUndo = write(
  async (db: Db, asked: OwnUndo & { projectIds: readonly number[] }): Promise<number[]> => {
    const rows = await db.sql
      .selectFrom('undos')
      .select('part')
      .distinct()
      .where('batch', '=', asked.uuid)
      .where('user_id', '=', asked.userId)
      .where('until_at', '>', asked.now)
      .where('claimed', '=', 0)
      .orderBy('part')
      .execute()
    if (asked.projectIds.length === 0) return rows.map(({ part }) => part)
    await ownUndos(db, asked)
      .set({ change: sql<string>`'{"undone":true,' || substr(change, 2)` })
      .where('project_id', 'in', asked.projectIds)
      .where('change', 'like', PLANS)
      .execute()
    if (rows.length > 1)
      await ownUndos(db, asked)
        .set({ until_at: asked.now + UNDER_WAY_MS })
        .where('project_id', 'in', asked.projectIds)
        .execute()
    return rows.map(({ part }) => part)
  },
)

/** Changes what is not over. */
function ownUndos(db: Db, { uuid, userId, now }: OwnUndo) {
  return db.sql
    .updateTable('undos')
    .where('batch', '=', uuid)
    .where('user_id', '=', userId)
    .where('until_at', '>', now)
    .where('claimed', '=', 0)
}

/** A change in a project that was taken to be undone, and when it was made (ms). */
export interface TakenUndo {
  projectId: number
  change: Undoable
  madeAt: number
}

/** `part`: only that part of the action; else all of it. */
export type AskedUndo = OwnUndo & { projectIds: readonly number[]; part?: number }

/**
 * Takes what this person did in one action in these projects, so that it is undone once, and nothing that was planned is
 * carried out. Empty: it is too late, or it is not theirs. `forbidden`: how many checks of it are in other projects.
 */
export async function takeUndo(db: Db, asked: AskedUndo): Promise<{ taken: TakenUndo[]; forbidden: number }> {
  const rows = await db.sql
    .selectFrom('undos')
    .select('uuid')
    .where('batch', '=', asked.uuid)
    .where('user_id', '=', asked.userId)
    .where('until_at', '>', asked.now)
    .where('claimed', '=', 0)
    .$if(asked.part !== undefined, query => query.where('part', '=', asked.part!))
    .execute()
  const taken: TakenUndo[] = []
  let forbidden = 0
  for (const { uuid } of rows) {
    const found = await takeOne(db, uuid, asked)
    if (found && 'forbidden' in found) forbidden += found.forbidden
    else if (found) taken.push(found)
  }
  for (const { projectId, change } of taken) {
    if ('plan' in change) await recordPlan(db, 'check.unplanned', projectId, change, asked.now)
  }
  return { taken, forbidden }
}

/** Deleted in one statement, so that the job that carries plans out claims it before, or not at all. Null: it has. */
async function takeOne(
  db: Db,
  uuid: string,
  { projectIds, now }: { projectIds: readonly number[]; now: number },
): Promise<TakenUndo | { forbidden: number } | null> {
  const row = await db.sql
    .selectFrom('undos')
    .select(['project_id', 'change'])
    .where('uuid', '=', uuid)
    .executeTakeFirst()
  if (row && !projectIds.includes(row.project_id)) {
    const change = readUndo(row.change)
    return { forbidden: ('plan' in change ? change.checks : change.steps).length }
  }
  const taken = await db.sql
    .deleteFrom('undos')
    .where('uuid', '=', uuid)
    .where('until_at', '>', now)
    .where('claimed', '=', 0)
    .returning(['project_id', 'change', 'made_at'])
    .executeTakeFirst()
  if (!taken) return null
  const change = readUndo(taken.change)
  return { projectId: taken.project_id, change, madeAt: taken.made_at }
}

/**
 * By what a change of a check is undone that this person made in the project and may still undo: the newest with a step like `step`.
 * So a form that was sent twice leaves the button. Null: there is none.
 */
export const findUndo = read(
  async (
    db: Db,
    asked: { projectId: number; userId: number; step: Asked; now: number },
  ): Promise<string | null> => {
    const rows = await db.sql
      .selectFrom('undos')
      .select(['batch', 'change'])
      .where('project_id', '=', asked.projectId)
      .where('user_id', '=', asked.userId)
      .where('until_at', '>', asked.now)
      .where('claimed', '=', 0)
      .orderBy('until_at', 'desc')
      .execute()
    const found = rows.find(({ change }) => {
      const read = readUndo(change)
      return 'steps' in read && read.steps.some(step => isLike(step, asked.step))
    })
    return found?.batch ?? null
  },
)

/** What was asked to be done to a check, though nothing changed. */
export type Asked =
  | { did: 'state'; check: string; pauses: boolean }
  | { did: 'channel'; check: string; channel: string; on: boolean }

function isLike(step: Step, asked: Asked): boolean {
  if (step.did === 'state')
    return (
      asked.did === 'state' &&
      step.check === asked.check &&
      asked.pauses === (step.before.status !== 'paused')
    )
  return (
    step.did === 'channel' &&
    asked.did === 'channel' &&
    step.check === asked.check &&
    step.channel === asked.channel &&
    step.on === asked.on
  )
}

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
export type DuePlan = Planned & { uuid: string; projectId: number; userId: number; actor: Actor }

/**
 * Forgets what can no longer be undone, and claims the planned changes in it for a minute, to be carried out now: some at a time,
 * those whose time is longest over.
 */
export const endUndos = write(async (db: Db, now: number): Promise<DuePlan[]> => {
  const over = await db.sql
    .selectFrom('undos')
    .select('uuid')
    .where('until_at', '<=', now)
    .orderBy('until_at')
    .limit(ENDED_AT_ONCE)
    .execute()
  if (over.length === 0) return []
  const uuids = over.map(({ uuid }) => uuid)
  const rows = await db.sql
    .updateTable('undos')
    .set({ claimed: 1, until_at: now + AGAIN_MS })
    .where('uuid', 'in', uuids)
    .where('until_at', '<=', now)
    .returning(['uuid', 'project_id', 'user_id', 'change', 'actor'])
    .execute()
  const due: DuePlan[] = []
  for (const { uuid, project_id: projectId, user_id: userId, change, actor } of rows) {
    const read = readUndo(change)
    if ('plan' in read && !read.undone) {
      due.push({ ...read, uuid, projectId, userId, actor: actor === null ? SYSTEM : JSON.parse(actor) })
    } else await dropUndo(db, uuid)
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
  const items = projectIds.map(projectId => ({ projectId }))
  for (const { change } of await deletions(db, {}, items))
    for (const uuid of (JSON.parse(change) as Planned).checks) leaving.add(uuid)
  return leaving
}

const deletions = preparedList((sql, _: Record<string, never>, items: { projectId: number }[]) =>
  sql
    .selectFrom('undos')
    .select('change')
    .where(
      'project_id',
      'in',
      items.map(({ projectId }) => projectId),
    )
    .where('change', 'like', DELETIONS),
)
