import type { Announced } from '../announce.js'
import type { Db } from '../db.js'
import { announcedWrite } from '../method.js'
import { changeSettings } from './change-settings.js'
import { followArrival, makeDue, makeUndeliveredDue } from './disable-channel.js'
import { NO_FAILED_TEST } from './failed-test.js'

/** The result of a test notification. Instants and durations in ms; an empty error means that it arrived. */
export interface NotedTest {
  channelId: number
  uuid: string
  status: 'up' | 'down'
  error: string
  startedAt: number
  durationMs: number
  /** Settings that the integration found to have changed, and all settings that the test was sent with. */
  settings?: { found: Readonly<Record<string, string>>; sentWith: Readonly<Record<string, string>> }
}

/**
 * Records a test notification in place of the channel's earlier ones, and on the channel. If it arrived, it counts as an attempt, and
 * deliveries that failed before are due. If not, it is only shown: what waits was not tried (decision 0153).
 */
export const noteTest = announcedWrite(async (db: Db, test: NotedTest): Promise<Announced> => {
  if (test.settings) await changeSettings(db, test.channelId, test.settings.sentWith, test.settings.found)
  const error = test.error.slice(0, 200)
  await db.sql
    .deleteFrom('notifications')
    .where('channel_id', '=', test.channelId)
    .where('check_id', 'is', null)
    .where('delivery_uuid', 'is', null)
    .execute()
  await db.sql
    .insertInto('notifications')
    .values({
      uuid: test.uuid,
      channel_id: test.channelId,
      check_status: test.status,
      attempt: 1,
      created_at: test.startedAt,
      duration: test.durationMs,
      error,
    })
    .execute()
  const { startedAt, durationMs } = test
  const arrived = { last_notify: startedAt, last_duration: durationMs, last_error: '', ...NO_FAILED_TEST }
  await db.sql
    .updateTable('channels')
    .set(error === '' ? arrived : { test_failed_at: startedAt, test_error: error })
    .where('id', '=', test.channelId)
    .execute()
  const alerts = error === '' && (await noteArrival(db, test.channelId, startedAt + durationMs))
  return { alerts, checks: false }
})

async function noteArrival(db: Db, channelId: number, now: number): Promise<boolean> {
  await db.sql.updateTable('channels').set({ failing_ms: 0 }).where('id', '=', channelId).execute()
  const reached = await db.sql
    .updateTable('channels')
    .set({ unreachable_at: null, probe_at: null })
    .where('id', '=', channelId)
    .where('unreachable_at', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  const following = await followArrival.all(db, { channelId, now })
  if (reached) await makeDue(db, channelId, now)
  const undelivered = await makeUndeliveredDue(db, channelId, now)
  return reached !== undefined || following.length > 0 || undelivered
}
