/** The list of checks in Punctual's own API, as finished JSON. */
import type { Status } from '../../../core/checks/check.js'
import { hasTags, searchFor, searchForParts } from '../../../core/checks/check-list.js'
import { statusAt } from '../../../core/checks/status.js'
import { cursorFor } from '../../../core/wire/cursor.js'
import { toJson, withMembers } from '../../../core/wire/json.js'
import { nativeCheckJson } from '../../../core/wire/native-check.js'
import type { Db } from '../../db.js'
import { currentHold } from '../../instance/outages.js'
import { JsonBytes, type OnPiece } from '../../json-bytes.js'
import { prepared } from '../../prepared.js'
import { type ListedCheck, NATIVE_APART, selectNativeChecks, toListedCheck } from '../rows/check-rows.js'
import { type KeptSettings, keptSettings, keptText } from './kept-settings.js'
import { type LinksById, linksBetween, linksOf, type Range, valuesOf } from './native-links.js'

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

/**
 * Part of a list: at most `limit` checks after the one with the ID `after`; `operation`: see core/wire/cursor.ts. `fields`: the
 * wanted members of each check; null: all.
 */
export interface NativePlace {
  after: number | null
  limit: number
  operation: string
  fields: readonly string[] | null
}

/** A page with as many checks is more than one piece. */
const LEAST_IN_PIECES = 300

/** The reader of the list, and the time. */
export interface NativeViewer {
  projectId: number
  access: 'rw' | 'ro'
  now: number
}

/** A page of the checks of a project as JSON, in the order of their creation. Returns what `onPiece` did not get. */
export async function nativeList(
  db: Db,
  viewer: NativeViewer,
  filter: NativeFilter,
  { after, limit, operation, fields }: NativePlace,
  onPiece?: OnPiece,
): Promise<Uint8Array> {
  const { projectId, access, now } = viewer
  const isAll = Object.values(filter).every(value => value === undefined)
  const start = startAt(db, { projectId, after: after ?? 0, limit }, isAll)
  // The server is asked for both at once.
  const [hold] = await Promise.all([currentHold(db, now), start.firstEnd])
  const { siteRoot, pingEndpoint } = db.settings
  const view = { access, now, hold, siteRoot, pingEndpoint }
  const list = new JsonBytes('{"items": [', limit >= LEAST_IN_PIECES ? onPiece : null)
  let last = after ?? 0
  const add: Add = ({ check, kept }, links) => {
    const json = nativeCheckJson(check, linksOf(check, links), view, keptText(kept, check, view))
    list.add(fields === null ? json : toJson(withMembers(JSON.parse(json), fields)))
    last = check.id
  }
  const isLast = isAll
    ? await addAll(db, start, access, add)
    : await addWanted(db, start, access, {
        find: findersOf(filter, access, check => statusAt(check, now, hold)),
        add,
      })
  return list.end(`], "next": ${isLast ? null : `"${cursorFor(operation, last)}"`}}`)
}

/** A check that was read, and what is kept of its settings. */
interface ReadCheck {
  check: ListedCheck
  kept: KeptSettings
}

type Add = (one: ReadCheck, links: LinksById) => void

/**
 * Adds at most `limit` checks; returns whether they are the last. Each is written as soon as it is read, and few are read at once:
 * rows that are kept together cost the garbage collector as much as all else.
 */
async function addAll(db: Db, start: Start, access: 'rw' | 'ro', add: Add): Promise<boolean> {
  let isLast = false
  for await (const part of partsOf(db, start)) {
    await addPart(db, part, access, add)
    isLast = part.before === null
  }
  return isLast
}

/** Reads links and checks at once; the checks that come before the links wait for them. */
async function addPart(db: Db, part: Part, access: 'rw' | 'ro', add: Add): Promise<void> {
  const early: ReadCheck[] = []
  let links: LinksById | null = null
  await Promise.all([
    linksBetween(db, part, access === 'rw').then(found => {
      links = found
      for (const one of early) add(one, found)
    }),
    eachOf(db, part, one => (links ? add(one, links) : early.push(one))),
  ])
}

type Finder = (check: ListedCheck) => boolean

/** Adds the first wanted checks: those of the first finder that finds any in the whole list. Returns whether they are the last. */
async function addWanted(
  db: Db,
  start: Start,
  access: 'rw' | 'ro',
  { find, add }: { find: readonly Finder[]; add: Add },
): Promise<boolean> {
  const { projectId, limit } = start
  const found = await firstFound(db, start, find)
  const shown = found.slice(0, limit)
  const [first, last] = [shown[0]?.check.id ?? 1, shown.at(-1)?.check.id ?? 0]
  const links = await linksBetween(db, { projectId, after: first - 1, before: last + 1 }, access === 'rw')
  for (const one of shown) add(one, links)
  return found.length <= limit
}

/** The checks of this page, and one more if there are more. */
async function firstFound(db: Db, start: Start, [find, ...others]: readonly Finder[]): Promise<ReadCheck[]> {
  const found = await findAfter(db, start, find!)
  if (found.length > 0 || others.length === 0) return found
  const whole = startAt(db, { ...start, after: 0, limit: 0 }, false)
  const isFound = (await findAfter(db, whole, find!)).length > 0
  return isFound ? [] : await firstFound(db, start, others)
}

/** The first `limit` + 1 checks that are found, from as many parts as it takes. */
async function findAfter(db: Db, start: Start, isWanted: Finder): Promise<ReadCheck[]> {
  const { limit } = start
  const found: ReadCheck[] = []
  for await (const part of partsOf(db, start)) {
    await eachOf(db, part, one => {
      if (found.length <= limit && isWanted(one.check)) found.push(one)
    })
    if (found.length > limit) break
  }
  return found
}

type Place = Omit<Range, 'before'> & { limit: number }
type Part = Range & { limit: number }

/** Where a list starts, and how many checks at most are read for it; the end of its first part is being asked for. */
type Start = Place & { most: number; firstEnd: Promise<number | null> }

function startAt(db: Db, place: Place, isAll: boolean): Start {
  const most = isAll ? place.limit : Number.POSITIVE_INFINITY
  return { ...place, most, firstEnd: endOfPart(db, partAt(db, place, most)) }
}

/** The first checks after an ID, in parts of as many as are read at once. */
async function* partsOf(db: Db, { most, firstEnd, ...start }: Start): AsyncGenerator<Part> {
  let end = firstEnd
  let part = partAt(db, start, most)
  for (let left = most; ; ) {
    const before = await end
    yield { ...part, before }
    left -= part.limit
    if (before === null || left <= 0) return
    part = partAt(db, { ...start, after: before - 1 }, left)
    end = endOfPart(db, part)
  }
}

function partAt(db: Db, place: Place, left: number): Place {
  return { ...place, limit: Math.min(left, db.dialect.checksAtOnce) }
}

async function endOfPart(db: Db, place: Place): Promise<number | null> {
  const [next] = await endOf.arrays(db, { ...place, near: place.after + NEAR * place.limit })
  return (next?.[0] as number | undefined) ?? null
}

/** How many times as far as checks without gaps between their IDs the end of a part is looked for first. */
const NEAR = 2

/**
 * The check after the first `limit` ones. PostgreSQL finds a range of IDs at once, while it would join and sort all that follow for a
 * limit; for the same reason, the end is first looked for among those before `near`.
 */
const endOf = prepared((sql, { projectId, after, limit, near }: Place & { near: number }, { dialect }) => {
  const following = sql
    .selectFrom('checks')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', '>', after)
    .orderBy('id')
    .offset(limit)
    .limit(1)
  if (dialect.isDistributed) return following
  return sql.selectNoFrom(({ fn }) => fn.coalesce(following.where('id', '<', near), following).as('id'))
})

async function eachOf(db: Db, part: Part, onCheck: (one: ReadCheck) => unknown): Promise<void> {
  const as = { expected: part.limit, apart: NATIVE_APART }
  await inRange.eachPacked(db, valuesOf(part), as, (row, packed, unpack) => {
    const kept = keptSettings(db.settings, row[0] as number, packed, unpack)
    onCheck({ check: toListedCheck({ row, settings: kept.values }), kept })
  })
}

const inRange = prepared((sql, value: ReturnType<typeof valuesOf>, engine) =>
  selectNativeChecks(sql, engine.dialect)
    .where('c.project_id', '=', value.projectId)
    .where('c.id', '>', value.after)
    .where('c.id', '<', value.before)
    // Said again, because PostgreSQL would read the details of all checks.
    .where('d.check_id', '>', value.after)
    .where('d.check_id', '<', value.before)
    .orderBy('c.id'),
)

/** What finds the wanted checks: the second where the first finds none. Who does not see UUIDs does not find checks by them. */
function findersOf(
  { status, tags, slug, name, search }: NativeFilter,
  access: 'rw' | 'ro',
  statusOf: (check: ListedCheck) => Status,
): Finder[] {
  const isFound = search === undefined ? null : searchFor(search)
  const tests: Finder[] = []
  if (slug !== undefined) tests.push(check => check.slug === slug)
  if (name !== undefined) tests.push(check => check.name === name)
  if (tags !== undefined) tests.push(check => hasTags(check, tags))
  if (status !== undefined) tests.push(check => status.includes(statusOf(check)))
  const passes: Finder = check => tests.every(test => test(check))
  if (isFound === null) return [passes]
  const hasParts = searchForParts(search!)
  return [
    check => isFound(access === 'rw' ? check : named(check)) && passes(check),
    check => hasParts(named(check)) && passes(check),
  ]
}

function named({ name, slug, tags }: ListedCheck) {
  return { name, slug, tags }
}
