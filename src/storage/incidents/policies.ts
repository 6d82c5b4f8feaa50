/** The policies of projects. */
import { type QueryCreator, sql } from 'kysely'
import { Refusal } from '../../core/errors.js'
import type { FieldValues } from '../../core/events/event.js'
import { POLICY_LIMITS, type Policy, type PolicyRules } from '../../core/incidents/policy.js'
import { lockProject } from '../checks/checks.js'
import type { Db } from '../db.js'
import { recordChange, recordEvent } from '../events/record-events.js'
import { gatheredWhere } from '../gathered.js'
import { announcedWrite, read } from '../method.js'
import { newId } from '../new-id.js'
import type { Tables } from '../tables.js'
import { followPolicies } from './policies/follow-policies.js'
import { ruleColumns, toPolicy } from './policies/policy-rows.js'
import { namesIn, stepChannels } from './policies/step-channels.js'

export interface ShownPolicy extends Policy {
  /** Whether it applies to the project's checks that name no other. */
  isDefault: boolean
  /** How many checks name it. */
  checks: number
}

/** What a policy is to be. `isDefault`: whether it becomes the project's. Open incidents follow it at once. */
export interface AskedPolicy extends PolicyRules {
  name: string
  isDefault: boolean
}

/** The policies of a project, by name. Channels that were deleted are left out of their steps. */
export const policies = read(async (db: Db, projectId: number): Promise<ShownPolicy[]> => {
  const rows = await shown(db, projectId).execute()
  return await withoutDeleted(db, projectId, rows.map(toShown))
})

/** The same in the order of their creation, without how many checks name them, for which all checks would be read. */
export async function policiesInOrder(db: Db, projectId: number): Promise<Omit<ShownPolicy, 'checks'>[]> {
  const rows = await rulesOfProject(db.sql, projectId).orderBy('pol.id').execute()
  return await withoutDeleted(
    db,
    projectId,
    rows.map(row => ({ ...toPolicy(row), isDefault: row.isDefault === 1 })),
  )
}

/** A policy of a project. Throws `Refusal('not-found')`. */
export const policy = read(async (db: Db, projectId: number, id: number): Promise<ShownPolicy> => {
  const row = await shown(db, projectId).where('pol.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return (await withoutDeleted(db, projectId, [toShown(row)]))[0]!
})

/** Creates a policy. Throws a `Refusal`: `limit`, or `invalid` if a step names a channel of another project. */
export const createPolicy = announcedWrite(
  async (
    db: Db,
    projectId: number,
    asked: AskedPolicy & { now: number },
  ): Promise<{ id: number; alerts: false; checks: boolean }> => {
    await lockProject(db, projectId)
    await refuseName(db, projectId, asked.name, null)
    await refuseChannels(db, projectId, asked)
    const { n } = await db.sql
      .selectFrom('policies')
      .select(eb => eb.fn.countAll<number>().as('n'))
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow()
    if (Number(n) >= POLICY_LIMITS.policies) {
      throw new Refusal('limit', `a project can have ${POLICY_LIMITS.policies} policies`)
    }
    const { id } = await db.sql
      .insertInto('policies')
      .values({
        ...(await newId(db, 'policies')),
        project_id: projectId,
        name: asked.name,
        ...ruleColumns(asked),
        created_at: asked.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (asked.isDefault) {
      await setDefault(db, projectId, id)
      await followPolicies(db, { projectId }, asked.now)
    }
    const object = { id, name: asked.name }
    await recordEvent(
      db,
      { projectId, type: 'policy.created', object, after: policyValues(asked) },
      asked.now,
    )
    return { id, alerts: false, checks: asked.isDefault }
  },
)

/**
 * Changes what is given of a policy. Open incidents follow it by their clocks. Throws a `Refusal`: `not-found`,
 * else as {@link createPolicy}.
 */
export const updatePolicy = announcedWrite(
  async (
    db: Db,
    projectId: number,
    id: number,
    { now, isDefault, ...asked }: Partial<AskedPolicy> & { now: number },
  ): Promise<{ alerts: false; checks: true }> => {
    await lockProject(db, projectId)
    const row = await shown(db, projectId).where('pol.id', '=', id).executeTakeFirst()
    if (!row) throw notFound()
    const before = toShown(row)
    const after = { ...before, ...asked }
    if (asked.name !== undefined) await refuseName(db, projectId, asked.name, id)
    if (asked.steps) await refuseChannels(db, projectId, { ...after, steps: newNames(before, after) })
    await db.sql
      .updateTable('policies')
      .set({ name: after.name, ...ruleColumns(after) })
      .where('id', '=', id)
      .execute()
    if (isDefault === true) await setDefault(db, projectId, id)
    if (isDefault === false && before.isDefault) await setDefault(db, projectId, null)
    await followPolicies(db, { projectId }, now)
    const shownNow = { ...after, isDefault: isDefault ?? before.isDefault }
    const object = { id, name: after.name }
    const values = { before: policyValues(before), after: policyValues(shownNow) }
    await recordChange(db, { projectId, type: 'policy.updated', object, ...values }, now)
    return { alerts: false, checks: true }
  },
)

/** Deletes a policy. Its checks have the project's from then on, if there is one. Throws `Refusal('not-found')`. */
export const deletePolicy = announcedWrite(
  async (db: Db, projectId: number, id: number, now: number): Promise<{ alerts: false; checks: true }> => {
    await lockProject(db, projectId)
    const row = await shown(db, projectId).where('pol.id', '=', id).executeTakeFirst()
    if (!row) throw notFound()
    const gone = toShown(row)
    await db.sql.deleteFrom('policies').where('project_id', '=', projectId).where('id', '=', id).execute()
    await db.sql.updateTable('projects').set({ policy_id: null }).where('policy_id', '=', id).execute()
    await db.sql
      .updateTable('check_details')
      .set({ policy_id: null })
      .where('project_id', '=', projectId)
      .where('policy_id', '=', id)
      .execute()
    const object = { id, name: gone.name }
    await recordEvent(db, { projectId, type: 'policy.deleted', object, before: policyValues(gone) }, now)
    await followPolicies(db, { projectId }, now)
    return { alerts: false, checks: true }
  },
)

/** A policy in events. */
function policyValues({ name, isDefault, steps, repeat }: AskedPolicy): FieldValues {
  return { name, default: isDefault, steps, repeat }
}

function notFound(): Refusal {
  return new Refusal('not-found', 'policy not found')
}

function shown(db: Db, projectId: number) {
  const named = () => ({ check_details: sql`project_id = ${projectId} AND policy_id IS NOT NULL` })
  return rulesOfProject(gatheredWhere(db, named), projectId)
    .select(eb =>
      eb
        .selectFrom('check_details as d')
        .select(one => one.fn.countAll<number>().as('n'))
        .where('d.project_id', '=', projectId)
        .whereRef('d.policy_id', '=', 'pol.id')
        .as('checks'),
    )
    .orderBy('pol.name')
    .orderBy('pol.id')
}

function rulesOfProject(sql: QueryCreator<Tables>, projectId: number) {
  return sql
    .selectFrom('policies as pol')
    .innerJoin('projects as p', 'p.id', 'pol.project_id')
    .select(['pol.id', 'pol.name', 'pol.steps', 'pol.repeat_every', 'pol.repeat_times'])
    .select(eb => eb.case().when('p.policy_id', '=', eb.ref('pol.id')).then(1).else(0).end().as('isDefault'))
    .where('pol.project_id', '=', projectId)
}

function toShown(
  row: Parameters<typeof toPolicy>[0] & { isDefault: number; checks: number | null },
): ShownPolicy {
  return { ...toPolicy(row), isDefault: row.isDefault === 1, checks: Number(row.checks) }
}

async function withoutDeleted<P extends Policy>(db: Db, projectId: number, found: P[]): Promise<P[]> {
  const names = namesIn(found)
  if (names.length === 0) return found
  const known = await knownNames(db, projectId, names)
  return found.map(one => ({
    ...one,
    steps: one.steps.map(({ after, channels }) => ({
      after,
      channels: channels === 'check' ? channels : channels.filter(uuid => known.has(uuid)),
    })),
  }))
}

async function knownNames(db: Db, projectId: number, names: readonly string[]): Promise<Set<string>> {
  const found = await stepChannels(db, names)
  return new Set(found.filter(channel => channel.projectId === projectId).map(({ name }) => name))
}

/** The steps with the channels that the policy did not name before: deleted ones may stay. */
function newNames(before: PolicyRules, after: PolicyRules): PolicyRules['steps'] {
  const old = new Set(namesIn([before]))
  return after.steps.map(({ after: seconds, channels }) => ({
    after: seconds,
    channels: channels === 'check' ? channels : channels.filter(uuid => !old.has(uuid)),
  }))
}

async function refuseChannels(db: Db, projectId: number, rules: PolicyRules): Promise<void> {
  const names = namesIn([rules])
  const known = names.length > 0 ? await knownNames(db, projectId, names) : new Set()
  if (names.every(name => known.has(name))) return
  throw new Refusal('invalid', 'One of the channels is not in this project.', 'steps')
}

async function refuseName(db: Db, projectId: number, name: string, own: number | null): Promise<void> {
  const other = await db.sql
    .selectFrom('policies')
    .select('id')
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .$if(own !== null, query => query.where('id', '<>', own!))
    .executeTakeFirst()
  if (other) throw new Refusal('invalid', 'Another policy of the project has this name.', 'name')
}

async function setDefault(db: Db, projectId: number, id: number | null): Promise<void> {
  await db.sql.updateTable('projects').set({ policy_id: id }).where('id', '=', projectId).execute()
}
