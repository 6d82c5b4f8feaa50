import type { Check } from '../../../core/checks/check.js'
import { ownValues } from '../../../core/events/check-values.js'
import { leaveClosings } from '../../alerts/links/closings.js'
import type { Db } from '../../db.js'
import { recordEvents } from '../../events/record-events.js'
import { endDependencies } from '../../incidents/check-parents.js'
import { leaveIncidents } from '../../incidents/close-incidents.js'
import { removeChecks } from '../checks.js'

/** A check with the UUIDs of its channels. */
interface Linked {
  check: Check & { id: number }
  channels: readonly string[]
}

/**
 * Deletes a few checks of a project, which are locked, and everything about them. Returns whether something may have to be sent
 * because of it.
 */
export async function deleteChecks(
  db: Db,
  projectId: number,
  linked: readonly Linked[],
  now: number,
): Promise<boolean> {
  const checks = linked.map(({ check }) => check)
  const ids = checks.map(({ id }) => id)
  const closes = await leaveClosings(db, ids, now)
  const alerts = (await endDependencies(db, projectId, ids, now)) || closes
  await leaveIncidents(db, projectId, checks, 'deleted', now)
  await removeChecks(db, projectId, ids)
  const events = linked.map(({ check, channels }) => ({
    projectId,
    type: 'check.deleted' as const,
    object: { id: check.uuid, name: check.name },
    before: { ...ownValues(check), channels },
  }))
  await recordEvents(db, events, now)
  return alerts
}
