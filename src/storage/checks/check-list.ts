/** The list of a project's checks, filtered, sorted and divided into pages in the database thread. */

import type { State, Status } from '../../core/checks/check.js'
import {
  countStates,
  countTags,
  type ListItem,
  type ListQuery,
  listed,
} from '../../core/checks/check-list.js'
import { checkState, downSince } from '../../core/checks/check-state.js'
import { failing } from '../../core/checks/health/failing.js'
import type { ChecksPage, ListedCheck } from '../../core/checks/listed-check.js'
import { isRunningLong } from '../../core/checks/running-long.js'
import { isRunning, statusAt } from '../../core/checks/status.js'
import type { Hold } from '../../core/instance/outage.js'
import { channelsByCheck } from '../channels/check-channels.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { currentHold } from '../instance/outages.js'
import { read } from '../method.js'
import { FAILING_COLUMNS, isFailing, STATUS_COLUMNS, selectChecks, toNamedCheck } from './check-rows.js'
import { lastFlips } from './history/last-flips.js'
import { stripsOf } from './history/run-rows.js'
import { leavingChecks } from './undos.js'

/** One page of a project's checks; a page number beyond the last gives the last page. */
export const list = read(
  async (
    db: Db,
    projectId: number,
    query: ListQuery & { page: number; pageSize: number },
    now: number,
  ): Promise<ChecksPage> => {
    const hold = await currentHold(db, now)
    const items = await listItems(db, projectId, now, hold)
    const found = listed(items, query)
    const pages = Math.max(1, Math.ceil(found.length / query.pageSize))
    const page = Math.min(Math.max(1, query.page), pages)
    const shown = found.slice((page - 1) * query.pageSize, page * query.pageSize)
    return {
      checks: await inOrder(db, projectId, shown, now, hold),
      counts: countStates(items),
      tags: countTags(items),
      found: found.length,
      page,
      pages,
    }
  },
)

/** The UUIDs of all checks that match `query`, in its order. */
export const findUuids = read(
  async (db: Db, projectId: number, query: ListQuery, now: number): Promise<string[]> => {
    const items = await listItems(db, projectId, now, await currentHold(db, now))
    return listed(items, query).map(({ uuid }) => uuid)
  },
)

/** These checks of a project, for rows that have to be shown again; deleted ones are left out. */
export const listByUuid = read(
  async (db: Db, projectId: number, uuids: readonly string[], now: number): Promise<ListedCheck[]> => {
    const hold = await currentHold(db, now)
    const items: Item[] = []
    for (const some of chunks(uuids, db.dialect.maxParameters - 10)) {
      const query = selectListed(db).where('c.project_id', '=', projectId).where('c.uuid', 'in', some)
      items.push(...(await query.execute()).map(row => toItem(row, now, hold)))
    }
    return await withHistory(db, projectId, items, now, hold)
  },
)

/** All checks of a project that stay, with only what filters, order and counts need: there may be ten thousand. */
async function listItems(db: Db, projectId: number, now: number, hold: Hold | null): Promise<ListItem[]> {
  const rows = await db.sql
    .selectFrom('checks as c')
    .innerJoin('check_details as d', 'd.check_id', 'c.id')
    .select(['c.id', 'c.uuid', 'c.last_ping as lastPing', 'c.status_since as statusSince', ...STATUS_COLUMNS])
    .select(['c.last_duration as lastDurationMs', 'd.name', 'd.slug', 'd.tags', ...FAILING_COLUMNS])
    .where('c.project_id', '=', projectId)
    .execute()
  const leaving = await leavingChecks(db, [projectId])
  const kept = leaving.size === 0 ? rows : rows.filter(({ uuid }) => !leaving.has(uuid))
  return kept.map(row => {
    const shown = shownState(row, now, hold)
    return Object.assign(row, shown, { failing: isFailing(row, shown.status) })
  })
}

/** The state of a check at `now` for the list, in place of the stored status. */
function shownState(check: Parameters<typeof isRunningLong>[0] & Stated, now: number, hold: Hold | null) {
  const status = statusAt(check, now, hold)
  const running = isRunning(check, now, hold)
  const isLong = running && isRunningLong(check, now)
  return {
    status,
    troubleSince: troubleSince(check, status, isLong),
    running,
    runningLong: isLong,
  }
}

function troubleSince(check: Stated, status: Status, isLong: boolean): number | null {
  if (status === 'down') return downSince(check)
  if (status === 'grace') return check.dueAt
  return isLong ? check.lastStart : null
}

type Stated = Pick<State, 'lastStart'> & Parameters<typeof statusAt>[0] & Parameters<typeof downSince>[0]

async function inOrder(
  db: Db,
  projectId: number,
  shown: readonly ListItem[],
  now: number,
  hold: Hold | null,
): Promise<ListedCheck[]> {
  const ids = shown.map(item => item.id)
  if (ids.length === 0) return []
  const rows = await selectListed(db).where('c.id', 'in', ids).execute()
  const checks = await withHistory(
    db,
    projectId,
    rows.map(row => toItem(row, now, hold)),
    now,
    hold,
  )
  const byId = new Map(checks.map(check => [check.id, check]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

function selectListed(db: Db) {
  return selectChecks(db.sql).select('c.confirmation_link')
}

type Row = Awaited<ReturnType<ReturnType<typeof selectListed>['execute']>>[number]

function toItem(row: Row, now: number, hold: Hold | null) {
  const check = toNamedCheck(row)
  const shown = shownState(check, now, hold)
  const isNowFailing = failing({ status: shown.status, tracking: check.tracking }, check) !== null
  return {
    ...check,
    failing: isNowFailing,
    confirmationLink: row.confirmation_link === 1,
    stored: check.status,
    ...shown,
  }
}

type Item = ReturnType<typeof toItem>

async function withHistory(
  db: Db,
  projectId: number,
  items: readonly Item[],
  now: number,
  hold: Hold | null,
): Promise<ListedCheck[]> {
  if (items.length === 0) return []
  const asked = items.map(item => ({ id: item.id, runningSince: item.running ? item.lastStart : null }))
  const down = items.flatMap(item => (item.stored === 'down' ? [item.id] : []))
  const [strips, flips, channels] = await Promise.all([
    stripsOf(db, asked),
    lastFlips(db, down),
    channelsByCheck(db, projectId),
  ])
  return items.map(({ stored, ...item }) => ({
    ...item,
    state: checkState({ ...item, status: stored }, flips.get(item.id) ?? null, now, hold),
    runs: strips.get(item.id) ?? [],
    channels: channels.get(item.id) ?? [],
  }))
}
