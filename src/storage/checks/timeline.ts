/** A check's log with its flips and the notifications about them. */

import {
  type TimelineCursor,
  type TimelineFlip,
  type TimelineKind,
  type TimelineNotification,
  type TimelinePage,
  type TimelinePing,
  timelinePage,
} from '../../core/checks/history/timeline.js'
import type { Action } from '../../core/pings/ping-event.js'
import { startOfDay } from '../../core/time/calendar.js'
import { isFirstAttempt, withLastAttempts } from '../alerts/log/attempts.js'
import type { Db } from '../db.js'
import { read } from '../method.js'
import { withDurations } from '../pings/ping-page.js'
import { selectPings, toTimelinePing } from '../pings/timeline-pings.js'
import { findCheck } from './find-check.js'
import { FLIP_COLUMNS, toFlip } from './history/flip-rows.js'
import type { CheckWithIds } from './rows/check-rows.js'

export interface TimelineQuery {
  kinds: readonly TimelineKind[]
  from: TimelineCursor
  count: number
  /** The newest day of the page (see core/time/calendar.ts) by the clock of `tz`; null: of the check's zone. */
  newest?: { day: number; tz: string | null } | null
}

/** One page of a check's timeline, with the check. `Refusal` as {@link findCheck}. */
export const timeline = read(
  async (
    db: Db,
    projectId: number,
    uuid: string,
    query: TimelineQuery,
  ): Promise<TimelinePage & { check: CheckWithIds }> => {
    const check = await findCheck(db, projectId, { uuid })
    const { id, nPings } = check
    const { kinds, from, count, newest = null } = query
    const until = newest ? startOfDay(newest.day + 1, newest.tz ?? check.tz) : Number.MAX_SAFE_INTEGER
    const actions = kinds.filter(kind => kind !== 'flip' && kind !== 'notification')
    const oldest = nPings - db.settings.pingLogLimit
    const sources = {
      pings:
        actions.length > 0
          ? await pingsBefore(db, id, actions, { before: from.ping, oldest, until }, count + 1)
          : [],
      flips: kinds.includes('flip') ? await flipsBefore(db, id, from.flip, until, count + 1) : [],
      notifications: kinds.includes('notification')
        ? await notificationsBefore(db, id, from.notification, until, count + 1)
        : [],
    }
    return { check, ...timelinePage(sources, count, from) }
  },
)

async function pingsBefore(
  db: Db,
  checkId: number,
  actions: readonly Action[],
  { before, oldest, until }: { before: number; oldest: number; until: number },
  limit: number,
): Promise<TimelinePing[]> {
  const rows = await selectPings(db.sql, checkId)
    .where('n', '<', before)
    .where('n', '>', oldest)
    .where('created_at', '<', until)
    .where('kind', 'in', [...actions])
    .orderBy('n', 'desc')
    .limit(limit)
    .execute()
  return await withDurations(db, checkId, rows.map(toTimelinePing))
}

async function flipsBefore(
  db: Db,
  checkId: number,
  before: number,
  until: number,
  limit: number,
): Promise<TimelineFlip[]> {
  const rows = await db.sql
    .selectFrom('flips')
    .select(['id', ...FLIP_COLUMNS])
    .where('check_id', '=', checkId)
    .where('id', '<', before)
    .where('created_at', '<', until)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(row => ({ ...toFlip(row), id: row.id }))
}

async function notificationsBefore(
  db: Db,
  checkId: number,
  before: number,
  until: number,
  limit: number,
): Promise<TimelineNotification[]> {
  const rows = await db.sql
    .selectFrom('notifications as n')
    .innerJoin('channels as ch', 'ch.id', 'n.channel_id')
    .select(['n.id', 'n.created_at as at', 'n.check_status as checkStatus', 'n.attempt', 'n.error'])
    .select(['n.check_id as checkId', 'n.delivery_uuid as delivery', 'ch.uuid', 'ch.name', 'ch.kind'])
    .where('n.check_id', '=', checkId)
    .where('n.id', '<', before)
    .where('n.created_at', '<', until)
    .where(isFirstAttempt())
    .orderBy('n.id', 'desc')
    .limit(limit)
    .execute()
  const lines = await withLastAttempts(db, rows)
  return lines.map(({ uuid, name, kind, ...row }) => ({ ...row, channel: { uuid, name, kind } }))
}
