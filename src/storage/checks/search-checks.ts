import type { Status } from '../../core/checks/check.js'
import { troubleOf } from '../../core/checks/check-list.js'
import type { Hold } from '../../core/instance/outage.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { currentHold } from '../instance/outages.js'
import { read } from '../method.js'
import { type ListedProject, shownState } from './list/list-items.js'
import { type Match, matchChecks, type Sought } from './list/match-checks.js'
import { LISTED_COLUMNS, STATUS_COLUMNS } from './rows/check-rows.js'
import { shownNameOf } from './rows/shown-name.js'
import { leavingChecks } from './undos.js'

/** What checks are searched for, and which of them are returned: at most `limit` after the first `skip`. */
export interface CheckSearch extends Sought {
  skip: number
  limit: number
}

/** Some of the checks that were found, and the number of all. */
export interface FoundChecks {
  checks: SearchedCheck[]
  count: number
}

/** A check that was found, with its state. */
export interface SearchedCheck {
  id: number
  uuid: string
  /** What pages call it, also if it has no name. */
  name: string
  /** The UUID of its project. */
  project: string
  status: Status
  running: boolean
  /** Since when it has been down, late or running long; null if it is none of them. */
  troubleSince: number | null
}

/**
 * The checks of these projects that match: one that has just this name, then those that are down, late or running long, then the
 * best. Mistyped or abbreviated words are only looked for if few checks have them as they are typed, and come last. Without words
 * and tags: the checks that the reader used last, then those that are down.
 */
export const search = read(
  async (
    db: Db,
    projects: readonly ListedProject[],
    asked: CheckSearch,
    now: number,
  ): Promise<FoundChecks> => {
    if (projects.length === 0) return { checks: [], count: 0 }
    const ids = projects.map(({ id }) => id)
    const found = await matchChecks(db, ids, asked)
    for (const id of await leavingIds(db, ids)) found.delete(id)
    const hold = await currentHold(db, now)
    const troubles = await (found.size <= FEW
      ? troublesOf(db, ['c.id', [...found.keys()]], now, hold)
      : troublesOf(db, ['c.project_id', ids], now, hold))
    const rankOf = (id: number, { tier, score }: Match) => [tier, troubles.get(id) ?? NO_TROUBLE, -score, id]
    const order = [...found].map(([id, match]) => ({ id, rank: rankOf(id, match) }))
    order.sort((a, b) => compare(a.rank, b.rank))
    const shown = order.slice(asked.skip, asked.skip + asked.limit).map(({ id }) => id)
    return { checks: await searchedChecks(db, projects, shown, now, hold), count: order.length }
  },
)

/** Compares two different ranks by their first difference. */
function compare(one: readonly number[], two: readonly number[]): number {
  const at = one.findIndex((part, index) => part !== two[index])
  return one[at]! - two[at]!
}

/** The checks that are to be deleted. */
async function leavingIds(db: Db, ids: readonly number[]): Promise<number[]> {
  const found: number[] = []
  for (const some of chunks([...(await leavingChecks(db, ids))], db.dialect.maxParameters)) {
    const rows = await db.sql.selectFrom('checks').select('id').where('uuid', 'in', some).execute()
    for (const { id } of rows) found.push(id)
  }
  return found
}

const NO_TROUBLE = 3

/** So many checks are asked for by their IDs. */
const FEW = 200

/** The ranks of those of some checks that are down, late or running long; see `troubleOf`. Only rows are read that may be. */
async function troublesOf(
  db: Db,
  [column, values]: ['c.id' | 'c.project_id', readonly number[]],
  now: number,
  hold: Hold | null,
): Promise<Map<number, number>> {
  const found = new Map<number, number>()
  for (const some of chunks(values, db.dialect.maxParameters - 3)) {
    const rows = await db.sql
      .selectFrom('checks as c')
      .select([
        'c.id',
        'c.status_since as statusSince',
        'c.last_duration as lastDurationMs',
        ...STATUS_COLUMNS,
      ])
      .where(column, 'in', some)
      .where(({ or, eb }) =>
        or([
          eb('c.status', '=', 'down'),
          eb('c.due_at', '<=', now),
          eb('c.alert_after', '<=', now),
          eb('c.last_start', 'is not', null),
        ]),
      )
      .execute()
    for (const row of rows) {
      const trouble = troubleOf(shownState(row, now, hold))
      if (trouble < NO_TROUBLE) found.set(row.id, trouble)
    }
  }
  return found
}

/** The checks with these IDs, in their order. */
export async function searchedChecks(
  db: Db,
  projects: readonly ListedProject[],
  ids: readonly number[],
  now: number,
  hold: Hold | null,
): Promise<SearchedCheck[]> {
  if (ids.length === 0) return []
  const uuids = new Map(projects.map(({ id, uuid }) => [id, uuid]))
  const rows = await db.sql
    .selectFrom('checks as c')
    .innerJoin('check_details as d', 'd.check_id', 'c.id')
    .select([...LISTED_COLUMNS, 'c.project_id as projectId'])
    .where('c.id', 'in', [...ids])
    .execute()
  rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
  return rows.map(row => {
    const { status, running, troubleSince } = shownState(row, now, hold)
    const { id, uuid } = row
    const project = uuids.get(row.projectId)!
    return { id, uuid, name: shownNameOf(row), project, status, running, troubleSince }
  })
}
