/** Taking back what a person did; see undos.ts. */
import type { Flip, FlipReason } from '../../core/checks/flip.js'
import { hasMark, type Step } from '../../core/checks/undo.js'
import { checkValues } from '../../core/events/check-values.js'
import type { Db } from '../db.js'
import { recordEvent } from '../events/record-events.js'
import { advanceClocks } from '../incidents/policies/advance-clocks.js'
import { restoreIncident } from '../incidents/restore-incident.js'
import { announcedWrite } from '../method.js'
import { wakeRetagged } from '../silences/wake-held.js'
import { findCheck } from './find-check.js'
import { insertFlips } from './flips.js'
import { saveStates } from './states.js'

/** Whether it was restored, and what has to be announced. */
interface Restored {
  restored: boolean
  wakeAt: number | null
  alerts: boolean
}

const NOTHING: Restored = { restored: false, wakeAt: null, alerts: false }

/**
 * Gives a check back the state that it had before a pause or a resume, unless it was pinged or its rules were changed
 * since: its deadlines from before would be wrong. Its log shows both changes,
 * but for the pause of a check that is down. Throws a `Refusal` as {@link findCheck}.
 */
export const restoreState = announcedWrite(
  async (
    db: Db,
    projectId: number,
    { check: uuid, before, after }: Extract<Step, { did: 'state' }>,
    now: number,
  ): Promise<Restored> => {
    const [loaded] = await db.dialect.loadChecks([uuid])
    const check = await findCheck(db, projectId, { uuid })
    if (!hasMark(loaded!, after)) return NOTHING
    const wakeAt = await saveStates(db, [{ ...loaded!, ...before }])
    const flip: Flip = {
      createdAt: now,
      oldStatus: loaded!.status,
      newStatus: before.status,
      ...(before.status === 'down' ? await causeOf(db, check.id) : { reason: '' as const }),
    }
    const flipped = { checkId: check.id, flip }
    const reopens =
      before.status === 'down'
        ? await restoreIncident(db, { ...check, projectId, uuid }, loaded!.statusSince, now)
        : null
    await recordEvent(
      db,
      {
        projectId,
        type: 'check.restored',
        object: { id: uuid, name: check.name },
        before: { status: loaded!.status },
        after: { status: before.status },
      },
      now,
    )
    const alerts = reopens ?? (await insertFlips(db, [flipped], now))
    return { restored: true, wakeAt, alerts }
  },
)

/** Why a check last went down, and since when it failed. */
async function causeOf(db: Db, checkId: number) {
  const row = await db.sql
    .selectFrom('flips')
    .select(['reason', 'created_at', 'since_at'])
    .where('check_id', '=', checkId)
    .where('new_status', '=', 'down')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return { reason: 'failed' as const }
  return { reason: row.reason as FlipReason, since: row.since_at ?? row.created_at }
}

/** Gives a check of the project back its tags, unless they have been changed since. */
export const restoreTags = announcedWrite(
  async (
    db: Db,
    projectId: number,
    { check, before, after }: Extract<Step, { did: 'tags' }>,
    now: number,
  ): Promise<{ restored: boolean; alerts: boolean }> => {
    const checks = db.sql.selectFrom('checks').select('id').where('project_id', '=', projectId)
    await advanceClocks(db, checks.where('uuid', '=', check), now)
    const row = await db.sql
      .updateTable('check_details')
      .set({ tags: before })
      .where('project_id', '=', projectId)
      .where('tags', '=', after)
      .where('check_id', 'in', eb => eb.selectFrom('checks').select('id').where('uuid', '=', check))
      .returning(['check_id', 'name'])
      .executeTakeFirst()
    if (!row) return { restored: false, alerts: false }
    await recordEvent(
      db,
      {
        projectId,
        type: 'check.updated',
        object: { id: check, name: row.name },
        before: checkValues({ tags: after }),
        after: checkValues({ tags: before }),
      },
      now,
    )
    return { restored: true, alerts: await wakeRetagged(db, projectId, [row.check_id], now) }
  },
)
