import { sql } from 'kysely'
import { CLOCK_SET_BACK_MS } from '../../core/pings/ping.js'
import { WHEN_ENABLED } from '../channels/disable-channel.js'
import type { Db } from '../db.js'
import { setBackQuotas } from '../people/quotas.js'
import { cutOutages } from './cut-outages.js'
import { SET_BACK } from './instants.js'
import { setBackTexts } from './set-back-texts.js'

const HOUR_MS = 3_600_000

/**
 * Repairs what a clock stored that was ahead by about `byMs` and has been set back to `now`: outages
 * that seem too long, beats, whose processes may have ended, and everything that would wait until the
 * clock reaches that time again.
 */
export async function repairAfterClockSetBack(db: Db, now: number, byMs: number): Promise<void> {
  const ahead = now + CLOCK_SET_BACK_MS
  await cutOutages(db, now, byMs)
  await setBack(db, 'beats', ['beat_at', 'heard_at', 'heard_from'], now, byMs)
  await db.sql
    .updateTable('deliveries')
    .set(eb => ({
      // What waits for an outage that was cut is planned again.
      due_at: sql<number>`CASE WHEN held_by = 'outage' THEN CAST(${now} AS bigint) ELSE due_at - ${byMs} END`,
      claimed_until: eb('claimed_until', '-', byMs),
    }))
    .where('due_at', '>', now)
    .where('due_at', '<', WHEN_ENABLED)
    .execute()
  for (const [table, columns] of Object.entries(SET_BACK)) await setBack(db, table, columns, ahead, byMs)
  await db.sql
    .updateTable('silences')
    .set(eb => ({ over_at: eb.ref('ended_at') }))
    .whereRef('ended_at', '<', 'over_at')
    .execute()
  for (const table of ['uploads', 'removals'] as const) {
    await db.sql
      .updateTable(table)
      .set(eb => ({ due_at: eb('due_at', '-', byMs) }))
      .where('due_at', '>', now)
      .execute()
  }
  await db.sql
    .updateTable('channels')
    .set({ minute_from: null, hour_from: null, down_announced: null, other_announced: null })
    .where(eb =>
      eb.or([
        eb('minute_from', '>', ahead),
        eb('hour_from', '>', ahead),
        eb('down_announced', '>', ahead + HOUR_MS),
        eb('other_announced', '>', ahead + HOUR_MS),
      ]),
    )
    .execute()
  await setBackQuotas(db, now)
  const past = (column: 'last_ping' | 'last_start' | 'status_since') =>
    sql<number>`CASE WHEN ${sql.ref(column)} > ${now} THEN ${sql.ref(column)} - ${byMs} ELSE ${sql.ref(column)} END`
  // The watcher looks at each and recomputes its deadline; deadlines that waited for a hold are judged again.
  await db.sql
    .updateTable('checks')
    .set({
      last_ping: past('last_ping'),
      last_start: past('last_start'),
      status_since: past('status_since'),
      wake_at: sql`CASE WHEN alert_after IS NULL AND tracking IS NULL THEN NULL ELSE CAST(${now} AS bigint) END`,
    })
    .where(eb =>
      eb.or([
        eb('last_ping', '>', ahead),
        eb('last_start', '>', ahead),
        eb('status_since', '>', ahead),
        eb('wake_at', '>', eb.ref('alert_after')),
        eb('tracking', 'is not', null),
      ]),
    )
    .execute()
  await setBackTexts(db, { now, byMs })
}

/** Moves instants after `ahead` back in these columns. */
async function setBack(
  db: Db,
  table: string,
  columns: readonly string[],
  ahead: number,
  byMs: number,
): Promise<void> {
  const changes = columns.map(name => {
    const column = sql.ref(name)
    return sql`${column} = CASE WHEN ${column} > ${ahead} THEN ${column} - ${byMs} ELSE ${column} END`
  })
  const lieAhead = columns.map(name => sql`${sql.ref(name)} > ${ahead}`)
  await sql`UPDATE ${sql.table(table)} SET ${sql.join(changes)} WHERE ${sql.join(lieAhead, sql` OR `)}`.execute(
    db.sql,
  )
}
