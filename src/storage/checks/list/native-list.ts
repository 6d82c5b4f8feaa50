/** The list of checks in Punctual's own API, as finished JSON. */
import type { Status } from '../../../core/checks/check.js'
import { hasTags, searchFor } from '../../../core/checks/check-list.js'
import { statusAt } from '../../../core/checks/status.js'
import { cursorFor } from '../../../core/wire/cursor.js'
import { nativeCheckJson } from '../../../core/wire/native-check.js'
import type { Db } from '../../db.js'
import { currentHold } from '../../instance/outages.js'
import { JsonBytes } from '../../json-bytes.js'
import { prepared } from '../../prepared.js'
import { type CheckWithIds, selectChecksWithPolicy, toCheckWithPolicy } from '../rows/check-rows.js'
import { type ListedNativeCheck, linksBetween } from './native-links.js'

/** Which checks are listed; everything is optional. */
export interface NativeFilter {
  /** With any of these statuses, as they are now. */
  status?: readonly Status[] | undefined
  /** With all of these tags. */
  tags?: readonly string[] | undefined
  slug?: string | undefined
  /** With exactly this name. */
  name?: string | undefined
  /** Found by what a person would type. */
  search?: string | undefined
}

/** Part of a list: at most `limit` checks after the one with the ID `after`; `operation`: see core/wire/cursor.ts. */
export interface NativePlace {
  after: number | null
  limit: number
  operation: string
}

/** The reader of the list, and the time. */
export interface NativeViewer {
  projectId: number
  access: 'rw' | 'ro'
  now: number
}

/** A page of the checks of a project as JSON, in the order of their creation. */
export async function nativeList(
  db: Db,
  viewer: NativeViewer,
  filter: NativeFilter,
  place: NativePlace,
): Promise<Uint8Array> {
  const { projectId, access, now } = viewer
  const hold = await currentHold(db, now)
  const isWanted = wanted(filter, access, check => statusAt(check, now, hold))
  const found = await readChecks(db, projectId, place, isWanted)
  const shown = found.slice(0, place.limit)
  const links = await linksBetween(db, projectId, shown, access === 'rw')
  const { siteRoot, pingEndpoint } = db.settings
  const list = new JsonBytes('{"items": [')
  for (const check of shown) {
    list.add(nativeCheckJson(check, links(check), { access, now, hold, siteRoot, pingEndpoint }))
  }
  const isLast = found.length === shown.length
  return list.end(`], "next": ${isLast ? null : `"${cursorFor(place.operation, shown.at(-1)!.id)}"`}}`)
}

/** One check more than the place asks for, if there are so many. `isWanted` null: all are. */
async function readChecks(
  db: Db,
  projectId: number,
  { after, limit }: NativePlace,
  isWanted: ((check: CheckWithIds) => boolean) | null,
): Promise<ListedNativeCheck[]> {
  const found: ListedNativeCheck[] = []
  const atOnce = db.dialect.checksAtOnce
  for (let last = after ?? 0, isMore = true; isMore && found.length <= limit; ) {
    const count = isWanted === null ? Math.min(atOnce, limit + 1 - found.length) : atOnce
    let rows = 0
    await page.each(db, { projectId, after: last, limit: count }, count, row => {
      rows++
      const check = toCheckWithPolicy(row)
      last = check.id
      if (found.length > limit || isWanted?.(check) === false) return
      found.push(check)
    })
    isMore = rows === count
  }
  return found
}

/** PostgreSQL would otherwise join and sort the rest of the list for each page. */
const page = prepared((sql, value: { projectId: number; after: number; limit: number }) =>
  selectChecksWithPolicy(sql)
    .where('c.id', 'in', eb =>
      eb
        .selectFrom('checks')
        .select('id')
        .where('project_id', '=', value.projectId)
        .where('id', '>', value.after)
        .orderBy('id')
        .limit(value.limit),
    )
    .orderBy('c.id'),
)

/** Who does not see UUIDs does not find checks by them. */
function wanted(
  { status, tags, slug, name, search }: NativeFilter,
  access: 'rw' | 'ro',
  statusOf: (check: CheckWithIds) => Status,
): ((check: CheckWithIds) => boolean) | null {
  const isFound = search === undefined ? null : searchFor(search)
  const tests: ((check: CheckWithIds) => boolean)[] = []
  if (slug !== undefined) tests.push(check => check.slug === slug)
  if (name !== undefined) tests.push(check => check.name === name)
  if (tags !== undefined) tests.push(check => hasTags(check, tags))
  if (isFound !== null) {
    tests.push(check => isFound(access === 'rw' ? check : named(check)))
  }
  if (status !== undefined) tests.push(check => status.includes(statusOf(check)))
  return tests.length === 0 ? null : check => tests.every(test => test(check))
}

function named({ name, slug, tags }: CheckWithIds) {
  return { name, slug, tags }
}
