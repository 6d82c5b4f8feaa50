/** The policy that a check names, and the one that applies to it. */
import { Refusal } from '../../core/errors.js'
import type { Policy } from '../../core/incidents/policy.js'
import type { Db } from '../db.js'
import { read } from '../method.js'
import { prepared } from '../prepared.js'
import { followPolicies } from './policies/follow-policies.js'
import { policyApplies, toPolicy } from './policies/policy-rows.js'

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

/** The policy of a check; `isNamed`: whether the check names it, or has it as the default of its project. */
export interface AppliedPolicy extends Policy {
  isNamed: boolean
}

/** The policy that applies to a check, or null. Channels that were deleted may be in its steps. */
export const appliedPolicy = read(
  async (db: Db, checkId: number): Promise<AppliedPolicy | null> => await policyOfCheck(db, checkId),
)

/** As {@link appliedPolicy}, within a transaction. */
export async function policyOfCheck(db: Db, checkId: number): Promise<AppliedPolicy | null> {
  const [row] = await applied.all(db, { checkId })
  return row ? { ...toPolicy(row), isNamed: row.policy_id !== null } : null
}

const applied = prepared((sql, value: { checkId: number }) =>
  sql
    .selectFrom('check_details as d')
    .innerJoin('projects as p', 'p.id', 'd.project_id')
    .innerJoin('policies as pol', join => join.on(policyApplies))
    .select(['pol.id', 'pol.name', 'pol.steps', 'pol.repeat_every', 'pol.repeat_times', 'd.policy_id'])
    .where('d.check_id', '=', value.checkId),
)

/** How many checks of a project name no policy, so that they have its default. */
export const checksWithoutPolicy = read(async (db: Db, projectId: number): Promise<number> => {
  const { n } = await db.sql
    .selectFrom('check_details')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .where('project_id', '=', projectId)
    .where('policy_id', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(n)
})

/**
 * Gives a check a policy of its project, by ID or name, or none (null). Its open incident follows it. Throws
 * `Refusal('invalid')` if there is no such policy.
 */
export async function choosePolicy(
  db: Db,
  check: { id: number; projectId: number },
  asked: number | string | null,
  now: number,
): Promise<void> {
  const id = asked === null ? null : await policyId(db, check.projectId, asked)
  await db.sql.updateTable('check_details').set({ policy_id: id }).where('check_id', '=', check.id).execute()
  await followPolicies(db, { projectId: check.projectId, checkIds: [check.id] }, now)
}

/** The ID of a policy of the project, asked for by ID or name. Throws `Refusal('invalid')` if there is none. */
export async function policyId(db: Db, projectId: number, asked: number | string): Promise<number> {
  const row = await db.sql
    .selectFrom('policies')
    .select('id')
    .where('project_id', '=', projectId)
    .where(typeof asked === 'number' ? 'id' : 'name', '=', asked)
    .executeTakeFirst()
  if (!row) throw new Refusal('invalid', 'There is no such policy in the project.', 'policy')
  return row.id
}
