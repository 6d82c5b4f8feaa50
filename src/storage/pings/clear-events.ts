import { endTargets, forgetFlips } from '../alerts/links/end-targets.js'
import { forgetNotifications, notificationsOfChecks } from '../alerts/log/forget-notifications.js'
import { findCheck } from '../checks/find-check.js'
import { saveStates } from '../checks/rows/states.js'
import type { Db } from '../db.js'
import { recordEvent } from '../events/record-events.js'
import { closeIncidents } from '../incidents/close-incidents.js'
import { announcedWrite } from '../method.js'
import { deletePings, pingsOf } from './removals.js'

/**
 * Deletes the history of a check: it is new again, but the count of its pings continues. Throws a `Refusal` as {@link
 * findCheck}. Source: docs/behaviour.md, section 2.10.
 */
export const clearEvents = announcedWrite(
  async (db: Db, projectId: number, uuid: string, now: number): Promise<void> => {
    const [loaded] = await db.dialect.loadChecks([uuid])
    const { id, name } = await findCheck(db, projectId, { uuid })
    await endTargets(db, { checkIds: [id], evenLinked: true }, 'cleared', now)
    await forgetFlips(db, id)
    await closeIncidents(db, { checkIds: [id], by: 'person', now })
    await forgetNotifications(db, notificationsOfChecks(db, [id]))
    for (const table of ['flips', 'passed_deadlines'] as const) {
      await db.sql.deleteFrom(table).where('check_id', '=', id).execute()
    }
    await deletePings(db, [id], pingsOf(db, [id]))
    await saveStates(db, [
      {
        ...loaded!,
        status: 'new',
        statusSince: now,
        lastPing: null,
        lastStart: null,
        lastDurationMs: null,
        dueAt: null,
        alertAfter: null,
        tracking: null,
        confirmationLink: false,
      },
    ])
    await recordEvent(db, { projectId, type: 'check.cleared', object: { id: uuid, name } }, now)
  },
)
