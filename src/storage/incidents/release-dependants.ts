/** What the job that ends the holds of dependencies reads and writes. Decision 0115. */
import { type SqlBool, sql } from 'kysely'
import type { StoredStatus } from '../../core/checks/check.js'
import { awaitPlans } from '../channels/lock-channels.js'
import type { Db } from '../db.js'
import { LOCK_WAIT } from '../locks.js'
import { announcedWrite, poll, read } from '../method.js'
import { prepared } from '../prepared.js'
import { dependantsOf, wakeSlice, withDependants } from './dependencies/wake-dependants.js'

/** How many incidents `ended` returns at most. */
export const MOST_AT_ONCE = 100

/** An incident that has ended, and may hold alerts of checks that depend on its check. */
export interface Ended {
  id: number
  checkId: number
  projectId: number
  closedAt: number
}

/** A check on which others depend. */
export interface ParentState {
  id: number
  projectId: number
  status: StoredStatus
  lastPing: number | null
}

/** The incidents whose dependants have to be looked at, the oldest first, without those of the projects `except`. */
export const ended = poll(async (db: Db, now: number, except: readonly number[] = []): Promise<Ended[]> => {
  let asked = db.sql
    .selectFrom('incidents')
    .select(['id', 'check_id as checkId', 'project_id as projectId', 'closed_at'])
    .where(sql<SqlBool>`releases = 1`)
    .where('closed_at', 'is not', null)
    .where(eb => eb.or([eb('release_at', 'is', null), eb('release_at', '<=', now)]))
    .orderBy('id')
    .limit(sql.lit(MOST_AT_ONCE))
  if (except.length > 0) asked = asked.where('project_id', 'not in', except)
  return (await asked.execute()).map(({ closed_at, ...row }) => ({ ...row, closedAt: closed_at! }))
})

/**
 * Makes the next held alerts of the checks due that depend on the check of an incident that has ended; `after`: the result for
 * the slice before, 0 at first. Null: that was all. Several processes may do it at once: alerts that are still held are
 * planned once more. Fails if a row is locked for long, see `isLocked` in errors.ts.
 */
export const releaseDependants = announcedWrite(
  async (
    db: Db,
    incident: Ended,
    after: number,
    now: number,
  ): Promise<{ next: number | null; alerts: true; checks: false }> => {
    const { id, checkId, projectId, closedAt } = incident
    await awaitPlans(db, projectId)
    const next = await wakeSlice(db, { projectId, after, now }, await withDependants(db, [checkId]), false)
    if (next === null) {
      await db.sql
        .updateTable('incidents')
        .set({ releases: 0 })
        .where('id', '=', id)
        .where('closed_at', '=', closedAt)
        .execute()
    }
    return { next, alerts: true, checks: false }
  },
  LOCK_WAIT,
)

/** Whether a dependency holds an alert. */
export const someDependant = poll(async (db: Db): Promise<boolean> => (await someHeld.all(db, {})).length > 0)

const someHeld = prepared(kysely =>
  kysely
    .selectFrom('deliveries')
    .select('id')
    .where(sql<SqlBool>`held_by IN ('silence', 'dependency') AND held_by = 'dependency'`)
    .limit(sql.lit(1)),
)

/** The checks on which others depend. */
export const parentStates = read(async (db: Db): Promise<ParentState[]> => await states.all(db, {}))

const states = prepared(kysely =>
  kysely
    .selectFrom('checks')
    .select(['id', 'project_id as projectId', 'status', 'last_ping as lastPing'])
    .where('id', 'in', eb => eb.selectFrom('check_parents').select('parent_id').distinct()),
)

/**
 * As {@link releaseDependants}, for the alerts that wait for a check that is not down to ping; for all that it may have held if
 * it is paused.
 */
export const releaseWaiting = announcedWrite(
  async (
    db: Db,
    { id, projectId, status }: ParentState,
    after: number,
    now: number,
  ): Promise<{ next: number | null; alerts: true; checks: false }> => {
    await awaitPlans(db, projectId)
    const isUp = status === 'up'
    const checks = isUp ? dependantsOf(db, id) : await withDependants(db, [id])
    const next = await wakeSlice(db, { projectId, after, now }, checks, isUp)
    return { next, alerts: true, checks: false }
  },
  LOCK_WAIT,
)
