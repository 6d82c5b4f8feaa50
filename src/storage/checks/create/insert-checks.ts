/** The rows of new checks. */
import { randomUUID } from 'node:crypto'
import { DEFAULT_SETTINGS, type Settings } from '../../../core/checks/check-fields.js'
import { ownValues } from '../../../core/events/check-values.js'
import type { Db } from '../../db.js'
import { recordEvent } from '../../events/record-events.js'
import { inOrder } from '../../in-order.js'
import { newIds } from '../../new-id.js'
import { prepared } from '../../prepared.js'
import { addToCount, uniqueKey } from '../checks.js'
import { pickColumns } from '../rows/check-columns.js'
import { noteNames } from '../rows/name-directory.js'
import {
  type CheckNames,
  type CompleteCheck,
  detailsValues,
  type NewDetailsRow,
  type NewStateRow,
  stateValues,
} from '../rows/new-rows.js'

/** The values of a new check; absent settings get their defaults. */
export type NewCheck = { projectId: number; now: number } & Partial<Settings>

/** Creates a check with status new and counts it in its project. */
export async function insertCheck(db: Db, check: NewCheck): Promise<CheckNames> {
  const { projectId, now, ...asked } = check
  const settings = { ...DEFAULT_SETTINGS, ...asked }
  const [[names]] = await inOrder(
    db,
    () => insertCounted(db, projectId, [{ settings, policyId: null, now }]),
    () => addToCount(db, projectId, 1),
  )
  const object = { id: names!.uuid, name: settings.name }
  await recordEvent(db, { projectId, type: 'check.created', object, after: ownValues(settings) }, now)
  return names!
}

/** Creates checks with status new that their project has already counted. Returns their identifiers, in this order. */
export async function insertCounted(
  db: Db,
  projectId: number,
  checks: readonly CompleteCheck[],
): Promise<CheckNames[]> {
  const ids = await newIds(db, 'checks', checks.length)
  const rows = checks.map(({ settings, policyId, now }, place) => {
    const uuid = randomUUID()
    const names = { id: ids?.[place] ?? 0, uuid, uniqueKey: uniqueKey(uuid), badgeKey: randomUUID() }
    return { ...names, settings, policyId, projectId, now }
  })
  if (ids) {
    await inOrder(
      db,
      ...rows.flatMap(row => [
        () => insertNumbered.all(db, stateValues(row)),
        () => insertNumberedDetails.all(db, detailsValues(row)),
      ]),
    )
    await noteNames(db, ids)
    return rows
  }
  // The details find the state by its UUID, so that neither waits for the other.
  const inserted = await inOrder(
    db,
    ...rows.map(
      row => () =>
        inOrder(
          db,
          () => insertState.all(db, stateValues(row)),
          () => insertDetails.all(db, detailsValues(row)),
        ),
    ),
  )
  return rows.map((row, place) => ({ ...row, id: inserted[place]![1][0]!.id }))
}

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

const insertNumbered = prepared((sql, value: NewStateRow) =>
  sql.insertInto('checks').values({ id: value.id, ...stateRow(value) }),
)

const detailsRow = (value: NewDetailsRow) => ({
  ...pickColumns('details', value),
  project_id: value.projectId,
  unique_key: value.uniqueKey,
  badge_key: value.badgeKey,
  policy_id: value.policyId,
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

const insertNumberedDetails = prepared((sql, value: NewDetailsRow) =>
  sql.insertInto('check_details').values({ ...detailsRow(value), check_id: value.id }),
)
