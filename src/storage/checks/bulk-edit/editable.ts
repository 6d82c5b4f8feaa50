/** What a bulk edit needs to know of checks and their projects. */
import { createHash } from 'node:crypto'
import {
  type BulkEdit,
  type Editable,
  type EditOutcome,
  editCheck,
  type PlannedEdit,
  type Surroundings,
} from '../../../core/checks/bulk-edit/edit-check.js'
import { FIELD_LIST } from '../../../core/checks/check-fields.js'
import { channelsOfChecks } from '../../channels/check-channels.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'
import { type CheckWithIds, selectChecks, toNamedCheck } from '../rows/check-rows.js'
import { leavingChecks } from '../undos.js'

/** A check that is to be edited. */
export type EditableCheck = Editable & { check: CheckWithIds }

/** The checks with these UUIDs in these projects, in this order, without those that are about to be deleted. */
export async function loadEditable(
  db: Db,
  projectIds: readonly number[],
  uuids: readonly string[],
): Promise<{ checks: EditableCheck[]; known: Surroundings }> {
  const leaving = await leavingChecks(db, projectIds)
  const found = new Map<string, EditableCheck>()
  const shared = sharing()
  const allowed = new Set(projectIds)
  for (const some of chunks(uuids, db.dialect.maxParameters)) {
    const rows = await selectChecks(db.sql).select('d.policy_id').where('c.uuid', 'in', some).execute()
    const named = rows
      .map(row => ({ check: toNamedCheck(row), policy: row.policy_id }))
      .filter(({ check }) => allowed.has(check.projectId) && !leaving.has(check.uuid))
    const links = await channelsOfChecks(
      db,
      named.map(({ check }) => check.id),
    )
    for (const { check, policy } of named) {
      const channels = shared((links.get(check.id) ?? []).sort())
      found.set(check.uuid, { check, projectId: check.projectId, channels, policy })
    }
  }
  const checks = uuids.flatMap(uuid => found.get(uuid) ?? [])
  const projects = new Set(checks.map(({ projectId }) => projectId))
  return { checks, known: await surroundings(db, [...projects]) }
}

/** One list for all that are equal: it takes its memory, and the way to another thread, once. */
function sharing(): (list: string[]) => string[] {
  const lists = new Map<string, string[]>()
  return list => {
    const key = list.join()
    const known = lists.get(key) ?? list
    lists.set(key, known)
    return known
  }
}

async function surroundings(db: Db, projectIds: readonly number[]): Promise<Surroundings> {
  const channels = new Map<string, number>()
  const policies = new Map<number, number>()
  for (const some of chunks(projectIds, db.dialect.maxParameters)) {
    const channelRows = await db.sql
      .selectFrom('channels')
      .select(['uuid', 'project_id'])
      .where('project_id', 'in', some)
      .execute()
    for (const row of channelRows) channels.set(row.uuid, row.project_id)
    const policyRows = await db.sql
      .selectFrom('policies')
      .select(['id', 'project_id'])
      .where('project_id', 'in', some)
      .execute()
    for (const row of policyRows) policies.set(row.id, row.project_id)
  }
  return { channels, policies }
}

/** The outcome of an edit for each of these checks. */
export function planEdits(
  checks: readonly EditableCheck[],
  edit: BulkEdit,
  known: Surroundings,
): (EditableCheck & PlannedEdit)[] {
  const shared = sharing()
  return checks.map(one => {
    const outcome = editCheck(one, edit, known)
    if ('channels' in outcome && outcome.channels) outcome.channels = shared(outcome.channels)
    return { ...one, outcome, seen: digest(one, outcome) }
  })
}

/** The settings that an edit can change, or that decide what it does. */
const SEEN = FIELD_LIST.filter(({ name, timing }) => name === 'tags' || timing !== undefined)

function digest({ check, projectId, channels, policy }: EditableCheck, outcome: EditOutcome): string {
  const settings = SEEN.map(({ name }) => check[name])
  const text = JSON.stringify([projectId, settings, channels, policy, outcome])
  return createHash('sha256').update(text).digest('base64url').slice(0, 12)
}
