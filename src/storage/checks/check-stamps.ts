import type { StoredStatus } from '../../core/checks/check.js'
import { countStates, type StateCounts } from '../../core/checks/check-list.js'
import { isRunningLong } from '../../core/checks/running-long.js'
import { isOverrun, statusAt } from '../../core/checks/status.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { currentHold } from '../instance/outages.js'

/**
 * For each of these checks of a project a text that changes whenever its row in a list would look different. Checks
 * that are gone have none.
 */
export async function checkStamps(
  db: Db,
  projectId: number,
  uuids: readonly string[],
  now: number,
): Promise<Record<string, string>> {
  const hold = await currentHold(db, now)
  const stamps: Record<string, string> = {}
  for (const some of chunks(uuids, db.dialect.maxParameters - 1)) {
    const rows = await db.sql
      .selectFrom('checks as c')
      .innerJoin('check_details as d', 'd.check_id', 'c.id')
      .select(['c.id', 'c.uuid', 'c.status', 'c.status_since', 'c.n_pings', 'c.kind', 'c.period_s'])
      .select(['c.last_start as lastStart', 'c.due_at as dueAt', 'c.alert_after as alertAfter'])
      .select(['c.grace_s as graceSeconds', 'c.last_duration as lastDurationMs', 'c.schedule'])
      .select(['c.tz', 'd.name', 'd.slug', 'd.tags'])
      .where('c.project_id', '=', projectId)
      .where('c.uuid', 'in', some)
      .execute()
    const channels = await linkedChannels(
      db,
      rows.map(row => row.id),
    )
    for (const { uuid, ...row } of rows) {
      const shown = statusAt({ ...row, status: row.status as StoredStatus }, now, hold)
      const slow = [isOverrun(row, now, hold), isRunningLong(row, now)]
      stamps[uuid] = JSON.stringify([shown, slow, channels.get(row.id), ...Object.values(row)])
    }
  }
  return stamps
}

/** The numbers of the channels that each of some checks tells, as a text. */
async function linkedChannels(db: Db, checkIds: readonly number[]): Promise<Map<number, string>> {
  const links = new Map<number, string>()
  if (checkIds.length === 0) return links
  const rows = await db.sql
    .selectFrom('check_channels')
    .select(['check_id', 'channel_id'])
    .where('check_id', 'in', checkIds)
    .orderBy('channel_id')
    .execute()
  for (const row of rows) links.set(row.check_id, `${links.get(row.check_id) ?? ''} ${row.channel_id}`)
  return links
}

/** How many checks of a project are in each state at `now`. */
export async function stateCounts(db: Db, projectId: number, now: number): Promise<StateCounts> {
  const hold = await currentHold(db, now)
  const rows = await db.sql
    .selectFrom('checks')
    .select(['status', 'last_start as lastStart', 'due_at as dueAt', 'alert_after as alertAfter'])
    .select('grace_s as graceSeconds')
    .where('project_id', '=', projectId)
    .execute()
  return countStates(
    rows.map(row => ({
      status: statusAt({ ...row, status: row.status as StoredStatus }, now, hold),
      running: row.lastStart !== null && !isOverrun(row, now, hold),
    })),
  )
}

/** A text that changes whenever something happens to a check or is told of it; null where it is gone. */
export async function eventStamp(
  db: Db,
  projectId: number,
  uuid: string,
  now: number,
): Promise<string | null> {
  const stamp = (await checkStamps(db, projectId, [uuid], now))[uuid]
  if (stamp === undefined) return null
  const last = await db.sql
    .selectFrom('notifications as n')
    .innerJoin('checks as c', 'c.id', 'n.check_id')
    .select(['n.id', 'n.error'])
    .where('c.uuid', '=', uuid)
    .orderBy('n.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const settings = await db.sql
    .selectFrom('channels')
    .select(['id', 'name', 'disabled'])
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()
  return JSON.stringify([stamp, last, settings])
}
