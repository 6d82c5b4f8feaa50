import { BEAT_INTERVAL_MS } from '../../core/instance/beats.js'
import { outageOf } from '../../core/instance/outage.js'
import type { Db } from '../db.js'
import { prepared } from '../prepared.js'
import { addOutages } from './add-outages.js'
import { COLUMNS, toOutage } from './outages.js'
import type { CutHold } from './wake-after-cut.js'

/** Outages may end so long (ms) after now if no clock was set back: a beat waits for its turn, and clocks are never quite the same. */
export const CLOCKS_AGREE_MS = 1_000

const oneAhead = prepared((sql, value: { ahead: number }) =>
  sql
    .selectFrom('outages')
    .select('id')
    // Implied by the next condition, but this one has an index.
    .where('hold_until', '>', value.ahead)
    .where('ended_at', '>', value.ahead)
    .limit(1),
)

/** Whether a stored outage ends after `ahead`, because its timestamp comes from a clock that has been set back since. */
export async function hasOutagesAhead(db: Db, ahead: number): Promise<boolean> {
  return (await oneAhead.all(db, { ahead })).length > 0
}

/**
 * Repairs the outages that end after `ahead`, stored by a clock that was ahead of `now` by `byMs` (null: unknown). An outage
 * that began before `now` ends now. One that began later moves with the clock, or is deleted if the step is unknown.
 * Returns the hold that was cut, for what waits for it; null: none was.
 */
export async function cutOutages(
  db: Db,
  now: number,
  byMs: number | null,
  ahead = now + CLOCKS_AGREE_MS,
): Promise<CutHold | null> {
  const rows = await db.sql
    .deleteFrom('outages')
    .where('hold_until', '>', ahead)
    .where('ended_at', '>', ahead)
    .returning(COLUMNS)
    .execute()
  const cut = rows.map(toOutage).flatMap(({ startedAt, endedAt, partial, heardMs, part }) => {
    if (startedAt >= now && byMs === null) return []
    // `byMs` comes from the last beat, so it is too small by the time since then.
    const span =
      startedAt < now
        ? { from: startedAt, to: now }
        : {
            from: Math.min(startedAt - byMs! - BEAT_INTERVAL_MS, now - 1),
            to: Math.min(endedAt - byMs!, now),
          }
    const missed = {
      ...span,
      partial: partial === true,
      heardMs: heardMs ?? 0,
      ...(part !== undefined && { part }),
    }
    return [outageOf(missed, db.settings.outageHoldMs)]
  })
  await addOutages(db, cut)
  if (rows.length === 0) return null
  const isReplaced = cut.length === rows.length
  return {
    from: isReplaced ? Math.min(...cut.map(({ holdUntil }) => holdUntil)) : now,
    until: Math.max(...rows.map(({ holdUntil }) => holdUntil)),
  }
}
