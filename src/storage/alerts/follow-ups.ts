/** What follows from changes, a slice in each transaction. Decision 0155. */
import { TRANSACTION_MS } from '../../lib/slices.js'
import { awaitPlans, lockChannelRows } from '../channels/lock-channels.js'
import { lockProject } from '../checks/checks.js'
import type { Db } from '../db.js'
import { followNext } from '../incidents/policies/follow-policies.js'
import { wakeNext } from '../incidents/wake-many.js'
import { LOCK_WAIT } from '../locks.js'
import { costlyWrite, poll } from '../method.js'
import { bringNext } from './bring-to-truth.js'
import type { FollowUp, FollowUpColumns, KeptFollowUp } from './follow-ups/follow-up.js'
import { moveFollowUp } from './follow-ups/keep.js'
import { endNext } from './links/end-targets.js'

/** The first follow-up of the next project after `after`, or of the first project; null if there is none. Those of `except` are left out. */
export const nextFollowUp = poll(
  async (db: Db, after: number, except: readonly number[] = []): Promise<KeptFollowUp | null> => {
    const first = async (from: number) =>
      await db.sql
        .selectFrom('follow_ups')
        .selectAll()
        .where('project_id', '>', from)
        .$if(except.length > 0, query => query.where('project_id', 'not in', except))
        .orderBy('project_id')
        .orderBy('kind')
        .orderBy('subject')
        .limit(1)
        .executeTakeFirst()
    const row = (await first(after)) ?? (after > 0 ? await first(0) : undefined)
    return row ? toFollowUp(row) : null
  },
)

function toFollowUp({ project_id, kind, subject, after_id }: FollowUpColumns): KeptFollowUp {
  return { projectId: project_id, kind, subject, afterId: after_id }
}

/**
 * Does the next slices of a follow-up. Several processes may do the same: what is done twice changes nothing. Fails if a row is locked
 * for long, see `isLocked` in errors.ts. `aimMs`: after how long no further slice begins.
 */
export const followUp = costlyWrite(
  async (
    db: Db,
    kept: KeptFollowUp,
    now: number,
    aimMs: number = TRANSACTION_MS.followUp,
  ): Promise<{ alerts: boolean; checks: false }> => {
    const begunAt = performance.now()
    const { kind } = kept
    await LOCK[kind](db, kept)
    let alerts = false
    let after: number | null = kept.afterId
    do {
      const done = await NEXT[kind](db, kept, after, now)
      if (done.alerts) alerts = true
      after = done.next
    } while (after !== null && performance.now() - begunAt < aimMs)
    await moveFollowUp(db, kept, after)
    return { alerts, checks: false }
  },
  LOCK_WAIT,
)

const lockChannel = (db: Db, { subject }: FollowUp) => lockChannelRows(db, [subject], 'flips')

/** What each kind locks first. */
const LOCK: Record<FollowUp['kind'], (db: Db, kept: FollowUp) => Promise<unknown>> = {
  unlinked: lockChannel,
  truth: lockChannel,
  policies: (db, { projectId }) => lockProject(db, projectId),
  held: (db, { projectId }) => awaitPlans(db, projectId),
}

/** The part that was done, of the rows after `after`. `next`: after which one the next part begins; null: that was the last. */
type DoNext = (
  db: Db,
  kept: FollowUp,
  after: number,
  now: number,
) => Promise<{ next: number | null; alerts: boolean }>

const NEXT: Record<FollowUp['kind'], DoNext> = {
  unlinked: async (db, { subject }, after, now) => await endNext(db, subject, after, now),
  truth: async (db, { subject }, after, now) => await bringNext(db, subject, after, now),
  policies: async (db, { projectId }, after, now) => ({
    next: await followNext(db, projectId, after, now),
    alerts: false,
  }),
  held: async (db, { projectId }, after, now) => await wakeNext(db, projectId, after, now),
}
