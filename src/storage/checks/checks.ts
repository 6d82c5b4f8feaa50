import { createHash, randomUUID } from 'node:crypto'
import { DEFAULT_SETTINGS, type Settings } from '../../core/checks/check-fields.js'
import { Refusal } from '../../core/errors.js'
import { ownValues } from '../../core/events/check-values.js'
import { forgetNotifications, notificationsOfCheck } from '../alerts/log/forget-notifications.js'
import type { Db } from '../db.js'
import { recordEvent } from '../events/record-events.js'
import { inOrder } from '../in-order.js'
import { newId } from '../new-id.js'
import { deletePings, pingsOf } from '../pings/removals.js'
import { prepared } from '../prepared.js'
import { pickColumns, type SettingColumns, settingColumns } from './rows/check-columns.js'
import { forgetCheck, noteNames } from './rows/name-directory.js'

/** The values of a new check; absent settings get their defaults. */
export type NewCheck = { projectId: number; now: number } & Partial<Settings>

/** The identifiers of a new check. */
export type CheckNames = {
  id: number
  uuid: string
  uniqueKey: string
  badgeKey: string
}

/** Creates a check with status new and counts it in its project. */
export async function insertCheck(db: Db, check: NewCheck): Promise<CheckNames> {
  const [names] = await inOrder(
    db,
    () => insertCounted(db, check),
    () => addToCount(db, check.projectId, 1),
  )
  const { projectId, now, ...asked } = check
  const settings = { ...DEFAULT_SETTINGS, ...asked }
  const object = { id: names.uuid, name: settings.name }
  await recordEvent(db, { projectId, type: 'check.created', object, after: ownValues(settings) }, now)
  return names
}

/** Creates a check with status new that its project has already counted. */
export async function insertCounted(db: Db, check: NewCheck): Promise<CheckNames> {
  const { projectId, now, ...asked } = check
  const uuid = randomUUID()
  const names = { uuid, uniqueKey: uniqueKey(uuid), badgeKey: randomUUID() }
  const settings = { ...DEFAULT_SETTINGS, ...asked }
  const values = { ...settingColumns('state', settings), uuid, projectId, now }
  const given = await newId(db, 'checks')
  const details = { ...settingColumns('details', settings), ...names, projectId, now }
  if (given.id !== undefined) {
    const { id } = given
    await inOrder(
      db,
      () => insertNumbered.all(db, { ...values, id }),
      () => insertNumberedDetails.all(db, { ...details, id }),
    )
    await noteNames(db, [id])
    return { id, ...names }
  }
  // The second finds the first by its UUID, so that neither waits for the other.
  const [, [row]] = await inOrder(
    db,
    () => insertState.all(db, values),
    () => insertDetails.all(db, details),
  )
  return { id: row!.id, ...names }
}

type NewStateRow = SettingColumns<'state'> & { uuid: string; projectId: number; now: number }

const stateRow = (value: NewStateRow) => ({
  ...pickColumns('state', value),
  uuid: value.uuid,
  project_id: value.projectId,
  status_since: value.now,
})

const KEEPS_PLAN = { keepsPlan: true }

const insertState = prepared(
  (sql, value: NewStateRow) => sql.insertInto('checks').values(stateRow(value)),
  KEEPS_PLAN,
)

const insertNumbered = prepared((sql, value: NewStateRow & { id: number }) =>
  sql.insertInto('checks').values({ id: value.id, ...stateRow(value) }),
)

type NewDetailsRow = SettingColumns<'details'> & Omit<CheckNames, 'id'> & { projectId: number; now: number }

const detailsRow = (value: NewDetailsRow) => ({
  ...pickColumns('details', value),
  project_id: value.projectId,
  unique_key: value.uniqueKey,
  badge_key: value.badgeKey,
  created_at: value.now,
})

const insertDetails = prepared(
  (sql, value: NewDetailsRow) =>
    sql
      .insertInto('check_details')
      .values(eb => ({
        ...detailsRow(value),
        check_id: eb.selectFrom('checks').select('id').where('uuid', '=', value.uuid),
      }))
      .returning('check_id as id'),
  KEEPS_PLAN,
)

const insertNumberedDetails = prepared((sql, value: NewDetailsRow & { id: number }) =>
  sql.insertInto('check_details').values({ ...detailsRow(value), check_id: value.id }),
)

/** Deletes a check and everything about it. */
export async function removeCheck(db: Db, check: { id: number; projectId: number }): Promise<void> {
  for (const table of ['deliveries', 'reported', 'flapping', 'flips', 'passed_deadlines'] as const) {
    await db.sql.deleteFrom(table).where('check_id', '=', check.id).execute()
  }
  await forgetNotifications(db, notificationsOfCheck(db, check.id))
  await deletePings(db, [check.id], pingsOf(db, check.id))
  // Its details and its links to channels are deleted with the row.
  await db.sql.deleteFrom('checks').where('id', '=', check.id).execute()
  await forgetCheck(db, check.id)
  await addToCount(db, check.projectId, -1)
}

/**
 * Locks the project until the transaction ends, so that requests that look for a check and create it if
 * there is none take turns.
 */
export async function lockProject(db: Db, projectId: number): Promise<void> {
  await addToCount(db, projectId, 0)
}

/** Adds to the number of checks of a project. */
export async function addToCount(db: Db, projectId: number, checks: number): Promise<void> {
  await addChecks.all(db, { projectId, checks })
}

const addChecks = prepared(
  (sql, value: { projectId: number; checks: number }) =>
    sql
      .updateTable('projects')
      .set(eb => ({ n_checks: eb('n_checks', '+', value.checks) }))
      .where('id', '=', value.projectId),
  KEEPS_PLAN,
)

/**
 * The number of checks of a project's account: those in all projects of its owner, or its own if it has no owner.
 * Throws a `Refusal` if the project was deleted.
 */
export async function accountCheckCount(db: Db, projectId: number): Promise<number> {
  const [row] = await countOfAccount.all(db, { projectId })
  if (!row) throw new Refusal('not-found', 'the project does not exist any more')
  return Number(row.own) + Number(row!.others)
}

const countOfAccount = prepared(
  (sql, value: { projectId: number }) =>
    sql
      .selectFrom('projects as mine')
      .leftJoin('projects as other', join =>
        join.onRef('other.owner_id', '=', 'mine.owner_id').onRef('other.id', '!=', 'mine.id'),
      )
      .select('mine.n_checks as own')
      .select(eb => eb.fn.coalesce(eb.fn.sum<number>('other.n_checks'), eb.lit(0)).as('others'))
      .where('mine.id', '=', value.projectId)
      .groupBy('mine.n_checks'),
  KEEPS_PLAN,
)

/** The key that identifies a check to read-only clients. Source: docs/behaviour.md, section 4.8. */
export function uniqueKey(uuid: string): string {
  return createHash('sha1').update(uuid.replaceAll('-', '').slice(0, 16)).digest('hex')
}
