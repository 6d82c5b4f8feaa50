/** Keeping what one action did or plans, in the transaction of the caller. Decision 0116. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import {
  type Planned,
  type Step,
  UNDER_WAY_MS,
  type Undoable,
  undoableUntil,
} from '../../../core/checks/undo.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'
import { recordEvents } from '../../events/record-events.js'
import { ownChecks } from './check-names.js'
import { undoText } from './undo-text.js'

export interface Doing {
  projectId: number
  userId: number
  change: Undoable
  now: number
}

/** One of the transactions of an action. */
export interface UndoPart {
  /** The name by which all of the action is undone. */
  batch: string
  /** From 0. */
  number: number
  /** Whether there are others: then the time to undo it begins with `offerUndo`. */
  isOneOfMany: boolean
}

/** A part of what a person does, to be kept with it. */
export type KeptPart = UndoPart & { userId: number }

/**
 * Keeps what one transaction did, possibly in several projects. Returns the name by which it is undone: of a plan for a part of which its
 * author has the same already, because a form was sent twice, that of the first.
 */
export async function keepBatch(db: Db, doings: readonly Doing[], part?: UndoPart): Promise<string> {
  const { number, isOneOfMany, ...own } = part ?? { batch: randomUUID(), number: 0, isOneOfMany: false }
  let { batch } = own
  // Of an action that did other things too, these have their own name.
  const joins = part !== undefined && doings.every(({ change }) => 'plan' in change)
  for (const { projectId, userId, change: wanted, now } of doings) {
    let change = wanted
    if ('plan' in wanted) {
      await lockPlans(db, projectId)
      const known = joins ? await sameBefore(db, { projectId, userId, change: wanted, now }) : null
      const checks = known ? wanted.checks.filter(check => !known.checks.has(check)) : wanted.checks
      if (known) batch = known.batch
      if (known && checks.length === 0) continue
      change = { ...wanted, checks }
      await dropPlansOf(db, projectId, checks)
    }
    await db.sql
      .insertInto('undos')
      .values({
        uuid: randomUUID(),
        batch,
        part: number,
        project_id: projectId,
        user_id: userId,
        change: undoText(change),
        made_at: now,
        until_at: isOneOfMany ? now + UNDER_WAY_MS : undoableUntil(now),
        actor: db.actor && JSON.stringify(db.actor),
      })
      .execute()
    if ('plan' in change) await recordPlan(db, 'check.planned', projectId, change, now)
  }
  return batch
}

/** Until the transaction ends, no other one plans anything in the project. It is taken after the locks of checks. */
async function lockPlans(db: Db, projectId: number): Promise<void> {
  if (db.dialect.hasConcurrentWrites)
    await sql`SELECT pg_advisory_xact_lock(${sql.lit(PLANS_LOCK)}, ${sql.lit(projectId)})`.execute(db.sql)
}

/** The kind of the advisory lock: an arbitrary constant. */
const PLANS_LOCK = 2_046_117_301

/** Those of the checks for which this person has planned the same, and the name of the newest such plan. Null: none. */
async function sameBefore(
  db: Db,
  { projectId, userId, change, now }: Doing & { change: Planned },
): Promise<{ batch: string; checks: ReadonlySet<string> } | null> {
  const rows = await db.sql
    .selectFrom('undos')
    .select(['batch', 'change'])
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .where('claimed', '=', 0)
    .where('until_at', '>', now)
    .where('change', 'like', PLANS)
    .orderBy('made_at')
    .execute()
  const wanted = new Set(change.checks)
  const checks = new Set<string>()
  let batch: string | null = null
  for (const row of rows) {
    const plan = JSON.parse(row.change) as Planned
    if (plan.plan !== change.plan || targetOf(plan) !== targetOf(change)) continue
    const same = plan.checks.filter(check => wanted.has(check))
    for (const check of same) checks.add(check)
    if (same.length > 0) ({ batch } = row)
  }
  return batch === null ? null : { batch, checks }
}

function targetOf(plan: Planned): number | null {
  return plan.plan === 'move' ? plan.target : null
}

/** Keeps steps, unless there are none, or they are not to be kept. */
export async function keepPart(
  db: Db,
  { projectId, steps, now }: { projectId: number; steps: Step[]; now: number },
  part: KeptPart | undefined,
): Promise<void> {
  if (!part || steps.length === 0) return
  await keepBatch(db, [{ projectId, userId: part.userId, change: { steps }, now }], part)
}

/** The pattern of the plans among the changes. */
export const PLANS = '{"plan":%'

/** A check has one plan, the newest. */
async function dropPlansOf(db: Db, projectId: number, checks: readonly string[]): Promise<void> {
  const planned = new Set(checks)
  const rows = await db.sql
    .selectFrom('undos')
    .select(['uuid', 'change'])
    .where('project_id', '=', projectId)
    .where('claimed', '=', 0)
    .where('change', 'like', PLANS)
    .execute()
  for (const { uuid, change } of rows) {
    const read = JSON.parse(change) as Planned
    const kept = read.checks.filter(check => !planned.has(check))
    if (kept.length === read.checks.length) continue
    const replaced = (read.replaced ?? 0) + read.checks.length - kept.length
    const left = JSON.stringify({ ...read, checks: kept, replaced })
    await db.sql.updateTable('undos').set({ change: left }).where('uuid', '=', uuid).execute()
  }
}

/** How many events one statement records. */
const EVENTS_AT_ONCE = 500

/** Records for each check that it is about to be deleted or moved, or is not any more. */
export async function recordPlan(
  db: Db,
  type: 'check.planned' | 'check.unplanned',
  projectId: number,
  { plan, checks }: Planned,
  now: number,
): Promise<void> {
  const own = await ownChecks(db, projectId, checks)
  const change = type === 'check.planned' ? { after: { planned: plan } } : { before: { planned: plan } }
  const events = own.map(({ uuid: id, name }) => ({ projectId, type, object: { id, name }, ...change }))
  for (const some of chunks(events, EVENTS_AT_ONCE)) await recordEvents(db, some, now)
}
