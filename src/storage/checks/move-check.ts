import { Refusal } from '../../core/errors.js'
import { plural } from '../../core/text/plural.js'
import { endTargets } from '../alerts/links/end-targets.js'
import { setChannels } from '../channels/check-channels.js'
import { resolveChannels } from '../channels/find-channels.js'
import type { Db } from '../db.js'
import { recordEvents } from '../events/record-events.js'
import { endDependencies } from '../incidents/check-parents.js'
import { leaveIncidents, reopenMoved } from '../incidents/close-incidents.js'
import { keepOutages } from '../instance/add-outages.js'
import { announcedWrite, readWithoutSnapshot } from '../method.js'
import { accountOf } from '../people/account-of.js'
import { lockAuthor, type Planner } from '../projects/lock-author.js'
import { accountCheckCount, addToCount, lockProject } from './checks.js'
import { findCheck } from './find-check.js'
import { noteNames } from './rows/name-directory.js'

export interface Move {
  projectId: number
  uuid: string
  targetId: number
  now: number
  by?: Planner
}

/**
 * Moves a check with its log to another project, whose channels get its alerts from then on. The old channels, which
 * belong to other people, are sent only the end of an incident. Throws a `Refusal`: `limit` if the other account has
 * reached its limit of checks, `forbidden` if `by` may not do it any more in both projects, else as {@link findCheck}. Source: docs/behaviour.md, section 9.4.
 */
export const move = announcedWrite(
  async (db: Db, { projectId, uuid, targetId, now, by }: Move): Promise<void> => {
    const projects = [projectId, targetId].sort((a, b) => a - b)
    for (const id of projects) await lockProject(db, id)
    if (by) for (const id of projects) await lockAuthor(db, id, by, 'write')
    // Locked, so that nothing happens to it during the move.
    await db.dialect.loadChecks([uuid])
    const check = await findCheck(db, projectId, { uuid })
    if (targetId === projectId) return
    const reason = await reasonNotToMove(db, projectId, targetId)
    if (reason) throw new Refusal('limit', reason)
    // Before the move, because the closing messages give the old project's name.
    await db.sql.deleteFrom('check_channels').where('check_id', '=', check.id).execute()
    await db.sql.deleteFrom('incident_channels').where('check_id', '=', check.id).execute()
    await endTargets(db, { checkIds: [check.id] }, 'moved', now)
    await endDependencies(db, projectId, [check.id], now)
    await leaveIncidents(db, projectId, [check], 'person', now)
    await keepOutages(db, check, now)
    await db.sql.updateTable('checks').set({ project_id: targetId }).where('id', '=', check.id).execute()
    await db.sql
      .updateTable('check_details')
      .set({ project_id: targetId, policy_id: null })
      .where('check_id', '=', check.id)
      .execute()
    await noteNames(db, [check.id])
    await recordMove(db, check, targetId, now)
    await reopenMoved(db, check.id, now)
    await setChannels(db, check.id, await resolveChannels(db, targetId, '*'), now)
    await addToCount(db, projectId, -1)
    await addToCount(db, targetId, 1)
  },
)

/** Records a move in both projects, each of which learns only the other's name. */
async function recordMove(
  db: Db,
  check: { projectId: number; uuid: string; name: string },
  targetId: number,
  now: number,
): Promise<void> {
  const rows = await db.sql
    .selectFrom('projects')
    .select(['id', 'name'])
    .where('id', 'in', [check.projectId, targetId])
    .execute()
  const nameOf = (id: number) => rows.find(row => row.id === id)?.name ?? ''
  const [before, after] = [{ project: nameOf(check.projectId) }, { project: nameOf(targetId) }]
  const moved = { type: 'check.moved' as const, object: { id: check.uuid, name: check.name }, before, after }
  const events = [check.projectId, targetId].map(projectId => ({ ...moved, projectId }))
  await recordEvents(db, events, now)
}

/** Why `count` checks of a project cannot move to another one now, or null: the other account has reached its limit. */
export const reasonNotToMove = readWithoutSnapshot(
  async (db: Db, projectId: number, targetId: number, count = 1): Promise<string | null> => {
    if ((await accountOf(db, projectId)) === (await accountOf(db, targetId))) return null
    const { checkLimit } = db.settings
    const room = checkLimit - (await accountCheckCount(db, targetId))
    if (count <= room) return null
    const limit = `its limit of ${plural(checkLimit, 'check')}`
    return room > 0 ? `that account reaches ${limit} with ${room} more` : `that account has reached ${limit}`
  },
)
