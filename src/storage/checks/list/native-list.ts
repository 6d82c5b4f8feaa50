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
import { type CheckWithPolicy, selectChecksWithPolicy, toCheckWithPolicy } from '../rows/check-rows.js'
import { incidentsOf, type LinksById, linksBetween, type Range, valuesOf } from './native-links.js'

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
  { after, limit, operation }: NativePlace,
): Promise<Uint8Array> {
  const { projectId, access, now } = viewer
  const isAll = Object.values(filter).every(value => value === undefined)
  const start = { projectId, after: after ?? 0, limit: isAll ? limit : db.dialect.checksAtOnce }
  const [hold, first] = await Promise.all([currentHold(db, now), partFrom(db, start)])
  const isWanted = wanted(filter, access, check => statusAt(check, now, hold))
  const read = isAll ? wholePart(db, first, access) : wantedChecks(db, first, { limit, isWanted, access })
  const { checks, links, isLast } = await read
  const incidents = await incidentsOf(db, projectId, checks)
  const { siteRoot, pingEndpoint } = db.settings
  const view = { access, now, hold, siteRoot, pingEndpoint }
  const list = new JsonBytes('{"items": [')
  for (const check of checks) {
    const { id, policy } = check
    const channels = links.channels.get(id) ?? NONE
    const parents = links.parents.get(id) ?? NONE
    const incident = incidents.get(id) ?? null
    list.add(nativeCheckJson(check, { channels, parents, incident, policy }, view))
  }
  return list.end(`], "next": ${isLast ? null : `"${cursorFor(operation, checks.at(-1)!.id)}"`}}`)
}

const NONE: never[] = []

interface Found {
  checks: CheckWithPolicy[]
  links: LinksById
  isLast: boolean
}

/** All checks of a part; what they are linked to is asked for at the same time. */
async function wholePart(db: Db, part: Part, access: 'rw' | 'ro'): Promise<Found> {
  const checks: CheckWithPolicy[] = []
  const [links] = await Promise.all([
    linksBetween(db, part, access === 'rw'),
    eachOf(db, part, check => checks.push(check)),
  ])
  return { checks, links, isLast: part.before === null }
}

interface Wanted {
  limit: number
  isWanted: (check: CheckWithPolicy) => boolean
  access: 'rw' | 'ro'
}

/** The first wanted checks, from as many parts as it takes. */
async function wantedChecks(db: Db, first: Part, { limit, isWanted, access }: Wanted): Promise<Found> {
  const found: CheckWithPolicy[] = []
  for (let part = first; ; ) {
    await eachOf(db, part, check => {
      if (found.length <= limit && isWanted(check)) found.push(check)
    })
    if (part.before === null || found.length > limit) break
    part = await partFrom(db, { ...part, after: part.before - 1 })
  }
  const checks = found.slice(0, limit)
  const { projectId } = first
  const range = { projectId, after: (checks[0]?.id ?? 1) - 1, before: (checks.at(-1)?.id ?? 0) + 1 }
  return { checks, links: await linksBetween(db, range, access === 'rw'), isLast: found.length <= limit }
}

interface Part extends Range {
  limit: number
}

/** The `limit` checks after an ID. */
async function partFrom(db: Db, start: Omit<Part, 'before'>): Promise<Part> {
  const [next] = await endOf.arrays(db, start)
  return { ...start, before: (next?.[0] as number | undefined) ?? null }
}

/** PostgreSQL finds a range of IDs at once, while it would join and sort all that follow for a limit. */
const endOf = prepared((sql, { projectId, after, limit }: Omit<Part, 'before'>) =>
  sql
    .selectFrom('checks')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', '>', after)
    .orderBy('id')
    .offset(limit)
    .limit(1),
)

async function eachOf(db: Db, part: Part, onCheck: (check: CheckWithPolicy) => void): Promise<void> {
  await inRange.each(db, valuesOf(part), part.limit, row => onCheck(toCheckWithPolicy(row)))
}

const inRange = prepared((sql, value: ReturnType<typeof valuesOf>) =>
  selectChecksWithPolicy(sql)
    .where('c.project_id', '=', value.projectId)
    .where('c.id', '>', value.after)
    .where('c.id', '<', value.before)
    .orderBy('c.id'),
)

/** Who does not see UUIDs does not find checks by them. */
function wanted(
  { status, tags, slug, name, search }: NativeFilter,
  access: 'rw' | 'ro',
  statusOf: (check: CheckWithPolicy) => Status,
): (check: CheckWithPolicy) => boolean {
  const isFound = search === undefined ? null : searchFor(search)
  const tests: ((check: CheckWithPolicy) => boolean)[] = []
  if (slug !== undefined) tests.push(check => check.slug === slug)
  if (name !== undefined) tests.push(check => check.name === name)
  if (tags !== undefined) tests.push(check => hasTags(check, tags))
  if (isFound !== null) {
    tests.push(check => isFound(access === 'rw' ? check : named(check)))
  }
  if (status !== undefined) tests.push(check => status.includes(statusOf(check)))
  return check => tests.every(test => test(check))
}

function named({ name, slug, tags }: CheckWithPolicy) {
  return { name, slug, tags }
}
