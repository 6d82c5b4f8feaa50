import { createHash, randomUUID } from 'node:crypto'
import { DEFAULT_SETTINGS, type Settings } from '../../core/checks/check-changes.js'
import { Refusal } from '../../core/errors.js'
import type { Db } from '../db.js'
import { newId } from '../new-id.js'
import { deletePings, pingsOf } from '../pings/removals.js'
import { prepared } from '../prepared.js'
import { type AllDetailColumns, type AllHotColumns, detailColumns, hotColumns } from './check-rows.js'

/** A check to be: what is left out takes the defaults. */
export type NewCheck = { projectId: number; now: number } & Pick<Settings, 'periodSeconds' | 'graceSeconds'> &
  Partial<Settings>

/** The names that a new check got. */
export type CheckNames = {
  id: number
  uuid: string
  uniqueKey: string
  badgeKey: string
}

/** Makes a check with status new and counts it towards its project. */
export async function insertCheck(db: Db, check: NewCheck): Promise<CheckNames> {
  const { projectId, now, ...asked } = check
  const uuid = randomUUID()
  const names = { uuid, uniqueKey: uniqueKey(uuid), badgeKey: randomUUID() }
  const settings = { ...DEFAULT_SETTINGS, ...asked }
  const values = { ...hotColumns(settings), uuid, projectId, now }
  const given = await newId(db, 'checks')
  const [row] = await (given.id === undefined
    ? insertHot.all(db, values)
    : insertNumbered.all(db, { ...values, id: given.id }))
  const id = row!.id
  await insertDetails.all(db, { ...detailColumns(settings), ...names, id, projectId, now })
  await addToCount(db, projectId, 1)
  return { id, ...names }
}

type NewHotRow = AllHotColumns & { uuid: string; projectId: number; now: number }

const hotRow = (value: NewHotRow) => ({
  uuid: value.uuid,
  project_id: value.projectId,
  status_since: value.now,
  kind: value.kind,
  period_s: value.period_s,
  grace_s: value.grace_s,
  schedule: value.schedule,
  tz: value.tz,
  methods: value.methods,
  manual_resume: value.manual_resume,
  filter_http_body: value.filter_http_body,
  filter_default_fail: value.filter_default_fail,
})

const insertHot = prepared((sql, value: NewHotRow) =>
  sql.insertInto('checks').values(hotRow(value)).returning('id'),
)

const insertNumbered = prepared((sql, value: NewHotRow & { id: number }) =>
  sql
    .insertInto('checks')
    .values({ id: value.id, ...hotRow(value) })
    .returning('id'),
)

const insertDetails = prepared(
  (sql, value: AllDetailColumns & CheckNames & { projectId: number; now: number }) =>
    sql.insertInto('check_details').values({
      check_id: value.id,
      project_id: value.projectId,
      unique_key: value.uniqueKey,
      badge_key: value.badgeKey,
      created_at: value.now,
      name: value.name,
      slug: value.slug,
      tags: value.tags,
      desc: value.desc,
      start_kw: value.start_kw,
      success_kw: value.success_kw,
      failure_kw: value.failure_kw,
      filter_subject: value.filter_subject,
      filter_body: value.filter_body,
      subject_rules: value.subject_rules,
    }),
)

/** Deletes a check and everything that is known of it. */
export async function removeCheck(db: Db, check: { id: number; projectId: number }): Promise<void> {
  for (const table of ['deliveries', 'reported', 'notifications', 'flapping', 'flips'] as const) {
    await db.sql.deleteFrom(table).where('check_id', '=', check.id).execute()
  }
  await deletePings(db, pingsOf(db, check.id))
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
  await addChecks.all(db, { projectId, checks })
}

const addChecks = prepared((sql, value: { projectId: number; checks: number }) =>
  sql
    .updateTable('projects')
    .set(eb => ({ n_checks: eb('n_checks', '+', value.checks) }))
    .where('id', '=', value.projectId),
)

/** How many checks the account of a project has: those of all its owner's projects, or its own without owner. Throws a `Refusal` for no project. */
export async function accountCheckCount(db: Db, projectId: number): Promise<number> {
  const [row] = await countOfAccount.all(db, { projectId })
  if (!row) throw new Refusal('not-found', 'the project does not exist any more')
  return Number(row.own) + Number(row!.others)
}

const countOfAccount = prepared((sql, value: { projectId: number }) =>
  sql
    .selectFrom('projects as mine')
    .leftJoin('projects as other', join =>
      join.onRef('other.owner_id', '=', 'mine.owner_id').onRef('other.id', '!=', 'mine.id'),
    )
    .select('mine.n_checks as own')
    .select(eb => eb.fn.coalesce(eb.fn.sum<number>('other.n_checks'), eb.lit(0)).as('others'))
    .where('mine.id', '=', value.projectId)
    .groupBy('mine.n_checks'),
)

/** The key that names a check towards read-only clients. Source: section 4.8 of the behaviour. */
function uniqueKey(uuid: string): string {
  return createHash('sha1').update(uuid.replaceAll('-', '').slice(0, 16)).digest('hex')
}
