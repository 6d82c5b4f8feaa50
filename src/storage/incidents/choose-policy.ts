/** The policy that a check names. */
import { Refusal } from '../../core/errors.js'
import type { Db } from '../db.js'
import { read } from '../method.js'

/** The ID of the policy that a check names, or null. */
export const policyOf = read(async (db: Db, checkUuid: string): Promise<number | null> => {
  const row = await db.sql
    .selectFrom('checks as c')
    .innerJoin('check_details as d', 'd.check_id', 'c.id')
    .select('d.policy_id')
    .where('c.uuid', '=', checkUuid)
    .executeTakeFirst()
  return row?.policy_id ?? null
})

/**
 * Gives a check a policy of its project, by ID or name, or none (null): from its next incident on. Throws
 * `Refusal('invalid')` if there is no such policy.
 */
export async function choosePolicy(
  db: Db,
  check: { id: number; projectId: number },
  asked: number | string | null,
): Promise<void> {
  const id = asked === null ? null : await idOf(db, check.projectId, asked)
  await db.sql.updateTable('check_details').set({ policy_id: id }).where('check_id', '=', check.id).execute()
}

async function idOf(db: Db, projectId: number, asked: number | string): Promise<number> {
  const row = await db.sql
    .selectFrom('policies')
    .select('id')
    .where('project_id', '=', projectId)
    .where(typeof asked === 'number' ? 'id' : 'name', '=', asked)
    .executeTakeFirst()
  if (!row) throw new Refusal('invalid', 'There is no such policy in the project.', 'policy')
  return row.id
}
