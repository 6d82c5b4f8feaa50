/** What people can still undo, and what is carried out when they no longer can. Decision 0116. */
import { randomUUID } from 'node:crypto'
import { doneAt, type Planned, type Step, type Undoable, undoableUntil } from '../../core/checks/undo.js'
import { type Actor, SYSTEM } from '../../lib/actor.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { recordEvents } from '../events/record-events.js'
import { announcedWrite, poll, read, write } from '../method.js'
import { preparedList } from '../prepared.js'

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
  async (db: Db, doing: Doing): Promise<{ uuid: string }> => ({ uuid: await keepBatch(db, [doing]) }),
)

/** Keeps what one action did, possibly in several projects. Returns the name by which it is undone. */
export async function keepBatch(db: Db, doings: readonly Doing[]): Promise<string> {
  const batch = randomUUID()
  for (const { projectId, userId, change, now } of doings) {
    if ('plan' in change) await dropPlansOf(db, projectId, change.checks)
    await db.sql
      .insertInto('undos')
      .values({
        uuid: randomUUID(),
        batch,
        project_id: projectId,
        user_id: userId,
        change: JSON.stringify(change),
        until_at: undoableUntil(now),
        actor: db.actor && JSON.stringify(db.actor),
      })
      .execute()
    if ('plan' in change) await recordPlan(db, 'check.planned', projectId, change, now)
  }
  return batch
}

/** A change in a project that was taken to be undone, and when it was made (ms). */
export interface TakenUndo {
  projectId: number
  change: Undoable
  madeAt: number
}

/**
 * Takes what this person did in one action in these projects, so that it is undone once, and nothing that was planned is
 * carried out. Empty: it is too late, or it is not theirs. `forbidden`: how many checks of it are in other projects.
 */
export async function takeUndo(
  db: Db,
  asked: { uuid: string; projectIds: readonly number[]; userId: number; now: number },
): Promise<{ taken: TakenUndo[]; forbidden: number }> {
  const rows = await db.sql
    .selectFrom('undos')
    .select('uuid')
    .where('batch', '=', asked.uuid)
    .where('user_id', '=', asked.userId)
    .where('until_at', '>', asked.now)
    .where('claimed', '=', 0)
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
    const change = JSON.parse(row.change) as Undoable
    return { forbidden: ('plan' in change ? change.checks : change.steps).length }
  }
  const taken = await db.sql
    .deleteFrom('undos')
    .where('uuid', '=', uuid)
    .where('until_at', '>', now)
    .where('claimed', '=', 0)
    .returning(['project_id', 'change', 'until_at'])
    .executeTakeFirst()
  if (!taken) return null
  const change = JSON.parse(taken.change) as Undoable
  return { projectId: taken.project_id, change, madeAt: doneAt(taken.until_at) }
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
      const read = JSON.parse(change) as Undoable
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

/** Forgets what can no longer be undone, and claims the planned changes in it for a minute, to be carried out now. */
export const endUndos = write(async (db: Db, now: number): Promise<DuePlan[]> => {
  const rows = await db.sql
    .updateTable('undos')
    .set({ claimed: 1, until_at: now + AGAIN_MS })
    .where('until_at', '<=', now)
    .returning(['uuid', 'project_id', 'user_id', 'change', 'actor'])
    .execute()
  const due: DuePlan[] = []
  for (const { uuid, project_id: projectId, user_id: userId, change, actor } of rows) {
    const read = JSON.parse(change) as Undoable
    if ('plan' in read) {
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

/** Records for each check that it is about to be deleted or moved, or is not any more. */
async function recordPlan(
  db: Db,
  type: 'check.planned' | 'check.unplanned',
  projectId: number,
  { plan, checks }: Planned,
  now: number,
): Promise<void> {
  for (const some of chunks(checks, db.dialect.maxParameters - 1)) {
    const rows = await db.sql
      .selectFrom('checks as c')
      .innerJoin('check_details as d', 'd.check_id', 'c.id')
      .select(['c.uuid', 'd.name'])
      .where('c.project_id', '=', projectId)
      .where('c.uuid', 'in', some)
      .orderBy('c.id')
      .execute()
    const change = type === 'check.planned' ? { after: { planned: plan } } : { before: { planned: plan } }
    const events = rows.map(({ uuid: id, name }) => ({ projectId, type, object: { id, name }, ...change }))
    await recordEvents(db, events, now)
  }
}

async function dropPlansOf(db: Db, projectId: number, checks: readonly string[]): Promise<void> {
  const planned = new Set(checks)
  const rows = await db.sql
    .selectFrom('undos')
    .select(['uuid', 'change'])
    .where('project_id', '=', projectId)
    .where('claimed', '=', 0)
    .execute()
  for (const { uuid, change } of rows) {
    const read = JSON.parse(change) as Undoable
    if (!('plan' in read)) continue
    const kept = read.checks.filter(check => !planned.has(check))
    if (kept.length === read.checks.length) continue
    const replaced = (read.replaced ?? 0) + read.checks.length - kept.length
    const left = JSON.stringify({ ...read, checks: kept, replaced })
    await db.sql.updateTable('undos').set({ change: left }).where('uuid', '=', uuid).execute()
  }
}
