import { createHash, randomUUID } from 'node:crypto'
import type { Check } from '../core/check.js'
import type { Db } from './db.js'

/** A check to be: what is left out takes the table's defaults. */
export type NewCheck = { projectId: number; now: number } & Pick<Check, 'periodSeconds' | 'graceSeconds'> &
  Partial<Pick<Check, 'name' | 'slug' | 'tags' | 'desc' | 'kind' | 'schedule' | 'tz'>>

/** Makes a check with status new and counts it towards its project. */
export async function insertCheck(db: Db, check: NewCheck): Promise<{ id: number; uuid: string }> {
  const uuid = randomUUID()
  const { id } = await db.sql
    .insertInto('checks')
    .values({
      uuid,
      project_id: check.projectId,
      status_since: check.now,
      period_s: check.periodSeconds,
      grace_s: check.graceSeconds,
      ...(check.kind ? { kind: check.kind } : {}),
      ...(check.schedule === undefined ? {} : { schedule: check.schedule }),
      ...(check.tz ? { tz: check.tz } : {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.sql
    .insertInto('check_details')
    .values({
      check_id: id,
      project_id: check.projectId,
      unique_key: uniqueKey(uuid),
      badge_key: randomUUID(),
      created_at: check.now,
      ...(check.name === undefined ? {} : { name: check.name }),
      ...(check.slug === undefined ? {} : { slug: check.slug }),
      ...(check.tags === undefined ? {} : { tags: check.tags }),
      ...(check.desc === undefined ? {} : { desc: check.desc }),
    })
    .execute()
  await db.sql
    .updateTable('projects')
    .set(eb => ({ n_checks: eb('n_checks', '+', 1) }))
    .where('id', '=', check.projectId)
    .execute()
  return { id, uuid }
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
