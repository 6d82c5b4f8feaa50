/** The list of checks, filtered, sorted, grouped and divided into pages in the database thread. */

import { tagList } from '../../core/checks/check.js'
import {
  countStates,
  countTags,
  type ListQuery,
  listed,
  type TagCount,
} from '../../core/checks/check-list.js'
import { checkState } from '../../core/checks/check-state.js'
import { failing } from '../../core/checks/health/failing.js'
import { lastExitStatus, stripOf } from '../../core/checks/history/run-strip.js'
import { pageOf } from '../../core/checks/list-groups.js'
import type { ChecksPage, ListedCheck } from '../../core/checks/listed-check.js'
import type { Hold } from '../../core/instance/outage.js'
import { channelsOfChecks } from '../channels/check-channels.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { acknowledgedChecks } from '../incidents/acknowledged.js'
import { currentHold } from '../instance/outages.js'
import { longRead, read, readWithoutSnapshot } from '../method.js'
import { fingerprintsOf } from './check-fingerprints.js'
import { lastFlips } from './history/last-flips.js'
import { stripsOf } from './history/run-rows.js'
import { type ListedProject, listItems, shownState } from './list/list-items.js'
import { selectChecks, toCheck } from './rows/check-rows.js'

/** One page of the checks of projects; a page number beyond the last gives the last page. */
export const list = longRead(
  async (
    db: Db,
    projects: readonly ListedProject[],
    query: ListQuery & { page: number; pageSize: number },
    now: number,
  ): Promise<ChecksPage> => {
    const hold = await currentHold(db, now)
    const items = await listItems(db, projects, now, hold)
    const found = listed(items, query)
    const { sections, page, pages } = pageOf(found, query)
    const ids = new Set(sections.flatMap(({ rows }) => rows.map(({ id }) => id)))
    const fingerprints = await fingerprintsOf(db, { ids: [...ids] }, now)
    return {
      sections: sections.map(section => ({
        ...section,
        rows: section.rows.map(({ uuid, project }) => ({
          uuid,
          project,
          fingerprint: fingerprints[uuid] ?? '',
        })),
      })),
      counts: countStates(items),
      tags: countTags(items),
      found: found.length,
      page,
      pages,
    }
  },
)

/** The tags of a project, in alphabetical order, with the number of checks that have each. */
export const tagCounts = longRead(
  async (db: Db, project: ListedProject, now: number): Promise<TagCount[]> =>
    countTags(await listItems(db, [project], now, await currentHold(db, now))),
)

/** The tags of the checks of these projects, with the number of checks that have each. */
export const usedTags = readWithoutSnapshot(
  async (db: Db, projectIds: readonly number[]): Promise<{ tag: string; checks: number }[]> => {
    const counts = new Map<string, number>()
    for (const ids of chunks(projectIds, db.dialect.maxParameters - 10)) {
      const rows = await db.sql
        .selectFrom('check_details')
        .where('project_id', 'in', ids)
        .where('tags', '<>', '')
        .groupBy('tags')
        .select(({ fn }) => ['tags', fn.countAll().as('checks')])
        .execute()
      for (const { tags, checks } of rows)
        for (const tag of new Set(tagList(tags))) counts.set(tag, (counts.get(tag) ?? 0) + Number(checks))
    }
    return [...counts].map(([tag, checks]) => ({ tag, checks }))
  },
)

/** The slugs of a project's checks. */
export const usedSlugs = read(async (db: Db, projectId: number): Promise<string[]> => {
  const rows = await db.sql
    .selectFrom('check_details')
    .where('project_id', '=', projectId)
    .where('slug', '<>', '')
    .select('slug')
    .execute()
  return rows.map(({ slug }) => slug)
})

/** The UUIDs of all checks of these projects that match `query`, in its order. */
export const findUuids = longRead(
  async (db: Db, projects: readonly ListedProject[], query: ListQuery, now: number): Promise<string[]> => {
    const items = await listItems(db, projects, now, await currentHold(db, now))
    return listed(items, query).map(({ uuid }) => uuid)
  },
)

/** These checks of a project, for rows that have to be shown again; deleted ones are left out. */
export const listByUuid = read(
  async (db: Db, project: ListedProject, uuids: readonly string[], now: number): Promise<ListedCheck[]> => {
    const hold = await currentHold(db, now)
    const items: Item[] = []
    for (const some of chunks(uuids, db.dialect.maxParameters - 10)) {
      const query = selectChecks(db.sql)
        .select('c.confirmation_link')
        .where('c.project_id', '=', project.id)
        .where('c.uuid', 'in', some)
      const { sql, parameters } = query.compile()
      for (const row of await db.dialect.arrays(sql, parameters))
        items.push(toItem(row, project.uuid, now, hold))
    }
    return await withHistory(db, items, now, hold)
  },
)

/** `row`: of a check, followed by whether its last body asks to open a link. */
function toItem(row: readonly unknown[], project: string, now: number, hold: Hold | null) {
  const check = toCheck(row)
  const shown = shownState(check, now, hold)
  const isNowFailing = failing({ status: shown.status, tracking: check.tracking }, check) !== null
  const confirmationLink = row.at(-1) === 1
  return { check, shown: { ...shown, project, failing: isNowFailing, confirmationLink } }
}

type Item = ReturnType<typeof toItem>

async function withHistory(
  db: Db,
  items: readonly Item[],
  now: number,
  hold: Hold | null,
): Promise<ListedCheck[]> {
  if (items.length === 0) return []
  const asked = items.map(({ check: { id, nPings, lastStart }, shown }) => ({
    id,
    nPings,
    runningSince: shown.running ? lastStart : null,
  }))
  const down = items.flatMap(({ check }) => (check.status === 'down' ? [check.id] : []))
  const [strips, flips, acknowledged, channels] = await Promise.all([
    stripsOf(db, asked),
    lastFlips(db, down),
    acknowledgedChecks(db, down, now),
    channelsOfChecks(
      db,
      asked.map(({ id }) => id),
    ),
  ])
  return items.map(({ check, shown }) => {
    const { id } = check
    const runs = strips.get(id) ?? []
    // A copy of an object with so many members takes ten times as long as adding to it.
    return Object.assign(check, shown, {
      state: checkState(check, flips.get(id) ?? null, now, hold),
      strip: stripOf(runs),
      exitStatus: lastExitStatus(runs),
      acknowledged: acknowledged.get(id) ?? null,
      channels: channels.get(id) ?? [],
    })
  })
}
