import type { FieldValues } from '../../core/events/event.js'
import type { SilenceSettings } from '../../core/silences/silence.js'
import { whenShape } from '../../core/wire/silence.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'

/** What people choose of a silence, as events name it. Checks and channels that were deleted are left out. */
export async function silenceValues(
  db: Db,
  { mode, scope, channels, times, reason }: SilenceSettings,
): Promise<FieldValues> {
  return {
    mode,
    scope: 'checks' in scope ? { checks: await uuidsOf(db, 'checks', scope.checks) } : scope,
    channels: channels && (await uuidsOf(db, 'channels', channels)),
    when: whenShape(times),
    reason,
  }
}

async function uuidsOf(db: Db, table: 'checks' | 'channels', ids: readonly number[]): Promise<string[]> {
  const uuids: string[] = []
  for (const some of chunks(ids, db.dialect.maxParameters)) {
    const rows = await db.sql.selectFrom(table).select('uuid').where('id', 'in', some).execute()
    uuids.push(...rows.map(({ uuid }) => uuid))
  }
  return uuids.sort()
}
