import { createHash, randomUUID } from 'node:crypto'
import type { Settings } from '../core/check-changes.js'
import { detailColumns, hotColumns } from './check-rows.js'
import type { Db } from './db.js'

/** A check to be: what is left out takes the table's defaults. */
export type NewCheck = { projectId: number; now: number } & Pick<Settings, 'periodSeconds' | 'graceSeconds'> &
  Partial<Settings>

/** The names that a new check got. */
export interface CheckNames {
  id: number
  uuid: string
  uniqueKey: string
  badgeKey: string
}

/** Makes a check with status new and counts it towards its project. */
export async function insertCheck(db: Db, check: NewCheck): Promise<CheckNames> {
  const { projectId, now, ...settings } = check
  const uuid = randomUUID()
  const names = { uuid, uniqueKey: uniqueKey(uuid), badgeKey: randomUUID() }
  const { id } = await db.sql
    .insertInto('checks')
    .values({
      ...hotColumns(settings),
      uuid,
      project_id: projectId,
      status_since: now,
      period_s: settings.periodSeconds,
      grace_s: settings.graceSeconds,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.sql
    .insertInto('check_details')
    .values({
      ...detailColumns(settings),
      check_id: id,
      project_id: projectId,
      unique_key: names.uniqueKey,
      badge_key: names.badgeKey,
      created_at: now,
    })
    .execute()
  await addToCount(db, projectId, 1)
  return { id, ...names }
}

/** Deletes a check and everything that is known of it. */
export async function removeCheck(db: Db, check: { id: number; projectId: number }): Promise<void> {
  for (const table of ['deliveries', 'notifications', 'flips', 'pings'] as const) {
    await db.sql.deleteFrom(table).where('check_id', '=', check.id).execute()
  }
  // Its details and its links to channels go with the row.
  await db.sql.deleteFrom('checks').where('id', '=', check.id).execute()
  await addToCount(db, check.projectId, -1)
}

/**
 * Holds the project until the transaction ends, so that two that look for a check and make it where there is
 * none take turns.
 */
export async function lockProject(db: Db, projectId: number): Promise<void> {
  await addToCount(db, projectId, 0)
}

/** Counts checks that a project gained or lost. */
export async function addToCount(db: Db, projectId: number, checks: number): Promise<void> {
  await db.sql
    .updateTable('projects')
    .set(eb => ({ n_checks: eb('n_checks', '+', checks) }))
    .where('id', '=', projectId)
    .execute()
}

/** How many checks the account of a project has: those of all its owner's projects, or its own without owner. */
export async function accountCheckCount(db: Db, projectId: number): Promise<number> {
  const { total } = await db.sql
    .selectFrom('projects as mine')
    .innerJoin('projects as of_account', join =>
      join.on(eb =>
        eb.or([
          eb('of_account.id', '=', eb.ref('mine.id')),
          eb('of_account.owner_id', '=', eb.ref('mine.owner_id')),
        ]),
      ),
    )
    .select(eb => eb.fn.coalesce(eb.fn.sum<number>('of_account.n_checks'), eb.lit(0)).as('total'))
    .where('mine.id', '=', projectId)
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** The key that names a check towards read-only clients. Source: section 4.8 of the behaviour. */
function uniqueKey(uuid: string): string {
  return createHash('sha1').update(uuid.replaceAll('-', '').slice(0, 16)).digest('hex')
}
