/** The events of all checks of a project: pings, flips and notifications. */

import { sql } from 'kysely'
import type { Cause } from '../../core/checks/health/cause.js'
import type { TimelineCursor, TimelineKind } from '../../core/checks/history/timeline.js'
import type { Action } from '../../core/pings/ping-event.js'
import {
  newestEvents,
  type ProjectEvent,
  type ProjectFlip,
  type ProjectNotification,
  type ProjectPing,
} from '../../core/projects/project-log.js'
import { isFirstAttempt, withLastAttempts } from '../alerts/log/attempts.js'
import { toFlip } from '../checks/history/flip-rows.js'
import { selectShownName } from '../checks/rows/shown-name.js'
import type { Db } from '../db.js'
import { gathered } from '../gathered.js'
import { read } from '../method.js'

export interface ProjectLogQuery {
  kinds: readonly TimelineKind[]
  /** Where the page begins; `ping` is the ID of a row here, not the number of a check's ping. */
  from: TimelineCursor
  count: number
}

export interface ProjectLogPage {
  events: ProjectEvent[]
  /** Where the next page, with older events, begins; null at the end. */
  next: TimelineCursor | null
}

/** The log of all projects is searched in slices of this many rows, and this many slices for one page. */
const SLICE = 5_000
const SLICES = 40

/** One page of a project's log, newest first. A page may be short, even empty, and still have a next one. */
export const log = read(
  async (db: Db, projectId: number, query: ProjectLogQuery): Promise<ProjectLogPage> => {
    const { kinds, from, count } = query
    const actions = kinds.filter(kind => kind !== 'flip' && kind !== 'notification')
    const scan = actions.length > 0 ? await newestPings(db, projectId, actions, from.ping, count) : NOTHING
    const flips = kinds.includes('flip') ? await newestFlips(db, projectId, from.flip, count + 1) : []
    const notifications = kinds.includes('notification')
      ? await newestNotifications(db, projectId, from.notification, count + 1)
      : []
    const events = newestEvents({ pings: scan.pings, flips, notifications }, count, scan.since)
    const found = scan.pings.length + flips.length + notifications.length
    const next = found > events.length || scan.stoppedAt !== null ? cursorAfter(events, from, scan) : null
    return { events, next }
  },
)

interface Scan {
  pings: ProjectPing[]
  /** The row before which nothing was searched; null if everything was. */
  stoppedAt: number | null
  /** The instant before which pings may be missing. */
  since: number
}

const NOTHING: Scan = { pings: [], stoppedAt: null, since: 0 }

function cursorAfter(events: readonly ProjectEvent[], from: TimelineCursor, scan: Scan): TimelineCursor {
  const cursor = { ...from }
  for (const event of events) {
    if (event.type === 'ping') cursor.ping = event.ping.id
    else if (event.type === 'flip') cursor.flip = event.flip.id
    else cursor.notification = event.notification.id
  }
  const allShown = scan.pings.every(ping => ping.id >= cursor.ping)
  return allShown && scan.stoppedAt !== null ? { ...cursor, ping: scan.stoppedAt + 1 } : cursor
}

async function newestPings(
  db: Db,
  projectId: number,
  actions: readonly Action[],
  before: number,
  count: number,
): Promise<Scan> {
  const pings: ProjectPing[] = []
  let top = await lastPing(db, before)
  for (let slice = 0; top > 0 && pings.length <= count; slice++) {
    if (slice === SLICES) return { pings, stoppedAt: top, since: await instantOf(db, top) }
    pings.push(...(await pingsBetween(db, projectId, actions, top - SLICE, top, count + 1 - pings.length)))
    top = pings.length > count ? top : await lastPing(db, top - SLICE + 1)
  }
  return { pings, stoppedAt: null, since: 0 }
}

async function pingsBetween(
  db: Db,
  projectId: number,
  actions: readonly Action[],
  after: number,
  upTo: number,
  limit: number,
): Promise<ProjectPing[]> {
  const rows = await db.sql
    .selectFrom('pings as p')
    .innerJoin('checks as c', 'c.id', 'p.check_id')
    .innerJoin('check_details as d', 'd.check_id', 'p.check_id')
    .select(['p.id', 'p.n', 'p.created_at as at', 'p.created_us as atUs', 'p.kind', 'p.scheme'])
    .select([
      'p.remote_addr as remoteAddr',
      'p.method',
      'p.ua',
      'p.rid',
      'p.ran_at as ranAt',
      'p.exit_status as exitStatus',
      'p.cause',
    ])
    .select(['c.uuid', selectShownName])
    .where('p.id', '>', after)
    .where('p.id', '<=', upTo)
    .where(ofProject(db, projectId, 'p'))
    .where('p.kind', 'in', [...actions])
    .orderBy('p.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ uuid, name, kind, cause, ...row }) => ({
    ...row,
    cause: cause as Cause | null,
    action: kind as Action,
    check: { uuid, name },
  }))
}

async function newestFlips(db: Db, projectId: number, before: number, limit: number): Promise<ProjectFlip[]> {
  const rows = await db.sql
    .selectFrom('flips as f')
    .innerJoin('checks as c', 'c.id', 'f.check_id')
    .innerJoin('check_details as d', 'd.check_id', 'f.check_id')
    .select([
      'f.id',
      'f.created_at as createdAt',
      'f.old_status',
      'f.new_status',
      'f.reason',
      'c.uuid',
      selectShownName,
    ])
    .where('f.id', '<', before)
    .where(ofProject(db, projectId, 'f'))
    .orderBy('f.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(row => ({
    ...toFlip(row),
    id: row.id,
    check: { uuid: row.uuid, name: row.name },
  }))
}

async function newestNotifications(
  db: Db,
  projectId: number,
  before: number,
  limit: number,
): Promise<ProjectNotification[]> {
  const checks = sql`(SELECT check_id FROM check_names WHERE project_id = ${projectId})`
  const rows = await gathered(db, ['checks', 'check_details'], checks)
    .selectFrom('notifications as n')
    .innerJoin('channels as ch', 'ch.id', 'n.channel_id')
    .innerJoin('checks as c', 'c.id', 'n.check_id')
    .innerJoin('check_details as d', 'd.check_id', 'n.check_id')
    .select(['n.id', 'n.created_at as at', 'n.check_status as checkStatus', 'n.attempt', 'n.error'])
    .select(['n.check_id as checkId', 'n.delivery_uuid as delivery'])
    .select(['ch.uuid as channelUuid', 'ch.name as channelName', 'ch.kind', 'c.uuid', selectShownName])
    .where('n.id', '<', before)
    .where('ch.project_id', '=', projectId)
    .where(isFirstAttempt())
    .orderBy('n.id', 'desc')
    .limit(limit)
    .execute()
  return (await withLastAttempts(db, rows)).map(({ channelUuid, channelName, kind, uuid, name, ...row }) => ({
    ...row,
    channel: { uuid: channelUuid, name: channelName, kind },
    check: { uuid, name },
  }))
}

/**
 * A condition: the row belongs to a check of the project. The sum prevents the database from reading every check's
 * own log by its index when the newest rows of all are needed.
 */
function ofProject(db: Db, projectId: number, table: 'p' | 'f') {
  const checks = db.sql.selectFrom('checks').select('id').where('project_id', '=', projectId)
  return sql<boolean>`${sql.ref(`${table}.check_id`)} + 0 in ${checks}`
}

async function lastPing(db: Db, before: number): Promise<number> {
  const { last } = await db.sql
    .selectFrom('pings')
    .select(eb => eb.fn.max<number | null>('id').as('last'))
    .where('id', '<', before)
    .executeTakeFirstOrThrow()
  return last ?? 0
}

async function instantOf(db: Db, pingId: number): Promise<number> {
  const row = await db.sql
    .selectFrom('pings')
    .select('created_at')
    .where('id', '=', pingId)
    .executeTakeFirst()
  return row?.created_at ?? 0
}
