/** Creating, changing and ending silences. What they no longer hold is sent at once. Decision 0115. */

import { Refusal } from '../../core/errors.js'
import type { AskedSilence } from '../../core/silences/asked-silence.js'
import type { Silence, SilenceSettings } from '../../core/silences/silence.js'
import { changesHolds, earlierAfter } from '../../core/silences/versions.js'
import { activeAt, overAt } from '../../core/silences/windows.js'
import { isoSeconds } from '../../core/wire/timestamp.js'
import { lockProject } from '../checks/checks.js'
import type { Db } from '../db.js'
import { recordChange, recordEvent } from '../events/record-events.js'
import { lockedRows } from '../locks.js'
import { announcedWrite } from '../method.js'
import { newId } from '../new-id.js'
import { refuseSilence, resolveSilence, timesFrom } from './resolve-silence.js'
import { refuseTooMany } from './silence-limits.js'
import { type SilenceRow, silenceColumns, toSilence, versionsOf } from './silence-rows.js'
import { silenceValues } from './silence-values.js'
import { wakeHeld } from './wake-held.js'

/** A silence after a write. */
export interface WrittenSilence {
  id: number
  /** Whether alerts that it held are due now. */
  alerts: boolean
}

/**
 * Creates a silence, which begins now at the earliest. Throws a `Refusal`: `limit` as `refuseTooMany`, else as
 * `resolveSilence`.
 */
export const create = announcedWrite(
  async (
    db: Db,
    projectId: number,
    asked: AskedSilence & { createdBy: string; now: number },
  ): Promise<WrittenSilence> => {
    const { createdBy, now } = asked
    await lockProject(db, projectId)
    const times = timesFrom(asked.times, null, now)
    const resolved = await resolveSilence(db, projectId, asked)
    const settings = { ...resolved, times } as SilenceSettings
    refuseSilence(settings, now)
    await refuseTooMany(db, projectId, { added: settings, replaced: null }, now)
    const { id } = await db.sql
      .insertInto('silences')
      .values({
        ...(await newId(db, 'silences')),
        project_id: projectId,
        ...silenceColumns(settings),
        created_by: createdBy,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const object = { id, name: settings.reason }
    await recordEvent(
      db,
      { projectId, type: 'silence.created', object, after: await silenceValues(db, settings) },
      now,
    )
    return { id, alerts: false }
  },
)

/**
 * Changes what is given of a silence. One that has begun keeps its beginning. Throws a `Refusal`: `not-found`, `conflict` if it is over, `limit` as
 * `refuseTooMany`, else as `resolveSilence`.
 */
export const update = announcedWrite(
  async (
    db: Db,
    projectId: number,
    id: number,
    asked: Partial<AskedSilence> & { now: number },
  ): Promise<WrittenSilence> => {
    const { now } = asked
    await lockProject(db, projectId)
    const row = await lockedRow(db, projectId, id)
    const before = toSilence(row)
    if (isOver(before, now)) throw new Refusal('conflict', 'the silence is over')
    const times = asked.times ? timesFrom(asked.times, before.times, now) : before.times
    const { mode, scope, channels, reason } = before
    const settings = { mode, scope, channels, reason, ...(await resolveSilence(db, projectId, asked)), times }
    refuseSilence(settings, now)
    await refuseTooMany(db, projectId, { added: settings, replaced: before }, now)
    const columns = { ...silenceColumns(settings), ...(changesHolds(before, settings) && changed(row, now)) }
    await db.sql.updateTable('silences').set(columns).where('id', '=', id).execute()
    const object = { id, name: settings.reason }
    const [was, is] = [await silenceValues(db, before), await silenceValues(db, settings)]
    await recordChange(db, { projectId, type: 'silence.updated', object, before: was, after: is }, now)
    return { id, alerts: await wakeHeld(db, projectId, now) }
  },
)

/**
 * Ends a silence now, so that nothing of it is active any more. Returns whether it was active. Throws
 * `Refusal('not-found')`; ending one that is over changes nothing.
 */
export const end = announcedWrite(
  async (
    db: Db,
    projectId: number,
    id: number,
    now: number,
  ): Promise<{ wasActive: boolean; alerts: boolean }> => {
    const silence = toSilence(await lockedRow(db, projectId, id))
    if (isOver(silence, now)) return { wasActive: false, alerts: false }
    const ended = { ...silence, endedAt: now }
    await db.sql
      .updateTable('silences')
      .set({ ended_at: now, over_at: overAt(ended) })
      .where('id', '=', id)
      .execute()
    const object = { id, name: silence.reason }
    const after = { ended_at: isoSeconds(now) }
    await recordEvent(db, { projectId, type: 'silence.ended', object, after }, now)
    return { wasActive: activeAt(silence, now), alerts: await wakeHeld(db, projectId, now) }
  },
)

/** A silence, locked until the transaction ends. */
async function lockedRow(db: Db, projectId: number, id: number): Promise<SilenceRow> {
  const query = db.sql.selectFrom('silences').selectAll().where('id', '=', id)
  const row = await lockedRows(db, query.where('project_id', '=', projectId)).executeTakeFirst()
  if (!row) throw new Refusal('not-found', 'silence not found')
  return row as SilenceRow
}

/** The columns of when it was changed, and of what it held up to now. */
function changed(row: SilenceRow, now: number) {
  const [before, ...earlier] = versionsOf(row)
  return { changed_at: now, earlier: JSON.stringify(earlierAfter(before, earlier, now)) }
}

function isOver(silence: Silence, now: number): boolean {
  const over = overAt(silence)
  return over !== null && over <= now
}
