/** What the job that ends the holds of dependencies reads and writes. Decision 0115. */
import { type SqlBool, sql } from 'kysely'
import type { StoredStatus } from '../../core/checks/check.js'
import { awaitPlans } from '../channels/lock-channels.js'
import type { Db } from '../db.js'
import { LOCK_WAIT } from '../locks.js'
import { announcedWrite, poll, read } from '../method.js'
import { prepared } from '../prepared.js'
import { dependantsOf, wakeSlice, withDependants } from './dependencies/wake-dependants.js'

/** How many incidents of one project `ended` returns at most. */
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

/** Alerts of a project that may be held no longer: those of all checks that depend on these, directly or not. */
export interface Release {
  projectId: number
  checkIds: readonly number[]
  /** The incidents of these checks, if it is because they have ended. */
  ended: readonly Ended[]
  /** Only alerts that wait for one of these checks to ping, on which their check depends directly. */
  onlyWaiting: boolean
}

/** The incidents whose dependants have to be looked at, the oldest of each project first, without those of the projects `except`. */
export const ended = poll(async (db: Db, now: number, except: readonly number[] = []): Promise<Ended[]> => {
  let asked = db.sql
    .selectFrom('incidents')
    .select(['id', 'check_id as checkId', 'project_id as projectId', 'closed_at as closedAt'])
    .select(sql<number>`row_number() OVER (PARTITION BY project_id ORDER BY id)`.as('place'))
    .where(sql<SqlBool>`releases = 1`)
    .where('closed_at', 'is not', null)
    .where(eb => eb.or([eb('release_at', 'is', null), eb('release_at', '<=', now)]))
  if (except.length > 0) asked = asked.where('project_id', 'not in', except)
  const rows = await db.sql
    .selectFrom(asked.as('i'))
    .select(['id', 'checkId', 'projectId', 'closedAt'])
    .where('place', '<=', MOST_AT_ONCE)
    .orderBy('id')
    .execute()
  return rows.map(row => ({ ...row, closedAt: row.closedAt! }))
})

/**
 * Makes the next of these alerts due; `after`: the result for the slice before, 0 at first. Null: that was all, and the incidents need
 * not be looked at any more. Several processes may do it at once: alerts that are still held are planned once more. Fails if a row is
 * locked for long, see `isLocked` in errors.ts.
 */
export const releaseDependants = announcedWrite(
  async (
    db: Db,
    { projectId, checkIds, ended, onlyWaiting }: Release,
    after: number,
    now: number,
  ): Promise<{ next: number | null; alerts: true; checks: false }> => {
    await awaitPlans(db, projectId)
    const checks = onlyWaiting ? dependantsOf(db, checkIds) : await withDependants(db, checkIds)
    const next = await wakeSlice(db, { projectId, after, now }, checks, onlyWaiting)
    if (next === null && ended.length > 0) {
      await db.sql
        .updateTable('incidents')
        .set({ releases: 0 })
        // One that was reopened may have ended again.
        .where(eb => eb.or(ended.map(({ id, closedAt }) => eb.and({ id, closed_at: closedAt }))))
        .execute()
    }
    return { next, alerts: true, checks: false }
  },
  LOCK_WAIT,
)

/** Whether a dependency holds an alert. */
export const someDependant = poll(async (db: Db): Promise<boolean> => (await someHeld.all(db, {})).length > 0)

const someHeld = prepared(kysely =>
  kysely.selectFrom('deliveries').select('id').where(heldByDependency('deliveries')).limit(sql.lit(1)),
)

/** The first condition is that of the index. */
function heldByDependency(deliveries: string) {
  const heldBy = sql.ref(`${deliveries}.held_by`)
  return sql<SqlBool>`(${heldBy} IN ('silence', 'dependency') AND ${heldBy} = 'dependency')`
}

/** The checks on which others depend, of the projects of which a dependency holds an alert. */
export const parentStates = read(async (db: Db): Promise<ParentState[]> => await states.all(db, {}))

const states = prepared(kysely =>
  kysely
    .selectFrom('checks')
    .select(['id', 'project_id as projectId', 'status', 'last_ping as lastPing'])
    .where('id', 'in', eb => eb.selectFrom('check_parents').select('parent_id').distinct())
    .where('project_id', 'in', eb =>
      eb
        .selectFrom('deliveries as d')
        .innerJoin('channels as c', 'c.id', 'd.channel_id')
        .select('c.project_id')
        .where(heldByDependency('d'))
        .distinct(),
    ),
)
