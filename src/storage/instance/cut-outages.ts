import { BEAT_INTERVAL_MS } from '../../core/instance/beats.js'
import { outageOf } from '../../core/instance/outage.js'
import { CLOCK_SET_BACK_MS } from '../../core/pings/ping.js'
import type { Db } from '../db.js'
import { prepared } from '../prepared.js'
import { addOutage, COLUMNS, toOutage } from './outages.js'

const oneAhead = prepared((sql, value: { ahead: number }) =>
  sql
    .selectFrom('outages')
    .select('id')
    // Implied by the next condition; this one has an index.
    .where('hold_until', '>', value.ahead)
    .where('ended_at', '>', value.ahead)
    .limit(1),
)

/** Whether an outage on record ends after `now`: a clock stamped it that has been set back since. */
export async function hasOutagesAhead(db: Db, now: number): Promise<boolean> {
  return (await oneAhead.all(db, { ahead: now + CLOCK_SET_BACK_MS })).length > 0
}

/**
 * Puts right the outages that end after `now`, as a clock stamped them that was ahead by `byMs`, or by an unknown time.
 * What began before `now` ends now. What began later is moved with the clock, or deleted where it is unknown by how much.
 */
export async function cutOutages(db: Db, now: number, byMs: number | null): Promise<void> {
  const ahead = await db.sql
    .deleteFrom('outages')
    .where('hold_until', '>', now + CLOCK_SET_BACK_MS)
    .where('ended_at', '>', now + CLOCK_SET_BACK_MS)
    .returning(COLUMNS)
    .execute()
  for (const { startedAt, endedAt, partial, heardMs } of ahead.map(toOutage)) {
    if (startedAt >= now && byMs === null) continue
    // `byMs` is known from the last beat, and too short by the time since then.
    const span =
      startedAt < now
        ? { from: startedAt, to: now }
        : {
            from: Math.min(startedAt - byMs! - BEAT_INTERVAL_MS, now - 1),
            to: Math.min(endedAt - byMs!, now),
          }
    await addOutage(
      db,
      outageOf({ ...span, partial: partial === true, heardMs: heardMs ?? 0 }, db.settings.outageHoldMs),
    )
  }
}
