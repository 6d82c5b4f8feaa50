/** The filters and the order of a list of checks. Source: docs/behaviour.md, section 9.3. */
import { folded, hasStarts, hasWords, wordsOf } from '../text/match-words.js'
import { type Status, tagList } from './check.js'

/** The states that people can filter by; `running` is independent of the status. */
export const LIST_STATES = ['down', 'late', 'running', 'up', 'new', 'paused'] as const
export type ListState = (typeof LIST_STATES)[number]

/**
 * `state`, the default: checks that are down, then late, then running long, each with what began last first; then up,
 * new and paused ones, by name.
 */
export const LIST_SORTS = [
  'state',
  'created',
  'name',
  '-name',
  'last_ping',
  '-last_ping',
  'next',
  'duration',
] as const
export type ListSort = (typeof LIST_SORTS)[number]

export const LIST_GROUPS = ['state', 'tag', 'project'] as const
export type ListGroup = (typeof LIST_GROUPS)[number]

export interface ListQuery {
  /** A part of name, slug, tags or UUID, or beginnings of words of the first three; see match-words.ts. */
  search: string
  /** Checks in any of these states; empty: all. */
  states: readonly ListState[]
  /** Checks with all of these tags. */
  tags: readonly string[]
  sort: ListSort
  /** What the list is grouped by, if anything, and the keys of the groups whose checks are hidden. */
  group: ListGroup | null
  folded: readonly string[]
}

/** The part of a check that filters and sorting need. */
export interface ListItem {
  id: number
  uuid: string
  /** The UUID of its project. */
  project: string
  name: string
  slug: string
  tags: string
  status: Status
  /** Since when it has been down, late or running long; null if it is none of them. */
  troubleSince: number | null
  running: boolean
  /** Whether failures were counted that do not take it down yet. */
  failing: boolean
  /** See running-long.ts. */
  runningLong: boolean
  lastPing: number | null
  dueAt: number | null
  lastDurationMs: number | null
}

/** `failing`: those that are up or late, with failures counted that do not take them down yet. */
export type StateCounts = Record<ListState | 'all' | 'failing', number>

/** A tag of a project, with the number of checks that have it and of those that are down or late. */
export interface TagCount {
  tag: string
  checks: number
  down: number
  late: number
}

/**
 * The items that match `query`, sorted. In every order, checks that are down come first, then late ones, then those
 * whose run takes unusually long. If no check has the words that were typed, those with all of them as parts of words match.
 */
export function listed<T extends ListItem>(items: readonly T[], query: ListQuery): T[] {
  const wanted = items.filter(
    item =>
      (query.states.length === 0 || query.states.some(state => isIn(item, state))) &&
      (query.tags.length === 0 || hasTags(item, query.tags)),
  )
  const isFound = searchFor(query.search)
  if (isFound === null) return sorted(wanted, query.sort)
  const found = wanted.filter(isFound)
  return sorted(found.length > 0 ? found : wanted.filter(searchForParts(query.search)), query.sort)
}

/** The number of items in each state. */
export function countStates(
  items: readonly (Pick<ListItem, 'status' | 'running'> & Partial<Pick<ListItem, 'failing'>>)[],
): StateCounts {
  const counts = { all: items.length, down: 0, late: 0, running: 0, up: 0, new: 0, paused: 0, failing: 0 }
  for (const { status, running, failing = false } of items) {
    counts[status === 'grace' ? 'late' : status] += 1
    if (running) counts.running += 1
    if (failing) counts.failing += 1
  }
  return counts
}

/** The tags of the items, in alphabetical order. */
export function countTags(items: readonly ListItem[]): TagCount[] {
  // Most checks share their tags with others, and splitting each text takes longer than all else.
  const byTags = new Map<string, Omit<TagCount, 'tag'>>()
  for (const { tags, status } of items) {
    const count = byTags.get(tags) ?? { checks: 0, down: 0, late: 0 }
    byTags.set(tags, count)
    count.checks += 1
    if (status === 'down') count.down += 1
    if (status === 'grace') count.late += 1
  }
  const counts = new Map<string, TagCount>()
  for (const [tags, { checks, down, late }] of byTags) {
    for (const tag of new Set(tagList(tags))) {
      const count = counts.get(tag) ?? { tag, checks: 0, down: 0, late: 0 }
      counts.set(tag, count)
      count.checks += checks
      count.down += down
      count.late += late
    }
  }
  return [...counts.values()].sort((a, b) => compare(a.tag.toLowerCase(), b.tag.toLowerCase()))
}

/** This many tags are always visible, and at most this many with trouble. */
const FEW_TAGS = 6
const MOST_TAGS = 12

/** The tags that a list of filters shows, those with most checks down first, and those that it folds away. */
export function foldTags(tags: readonly TagCount[], chosen: readonly string[]): [TagCount[], TagCount[]] {
  const bad = tags.filter(({ down, late }) => down + late > 0)
  const first = bad.sort((a, b) => b.down - a.down || b.late - a.late).slice(0, MOST_TAGS)
  const shown = [...first, ...tags.filter(one => chosen.includes(one.tag) && !first.includes(one))]
  const others = tags.filter(one => !shown.includes(one))
  if (shown.length === 0) return [others.slice(0, FEW_TAGS), others.slice(FEW_TAGS)]
  return tags.length <= FEW_TAGS ? [[...shown, ...others], []] : [shown, others]
}

function isIn(item: ListItem, state: ListState): boolean {
  if (state === 'running') return item.running
  return item.status === (state === 'late' ? 'grace' : state)
}

/** Whether a check has all these tags. */
export function hasTags(item: Pick<ListItem, 'tags'>, tags: readonly string[]): boolean {
  const own = tagList(item.tags)
  return tags.every(tag => own.includes(tag))
}

type Searched = Pick<ListItem, 'name' | 'slug' | 'tags'> & { uuid?: string }

/** Tells whether a check is found by what a person typed, by its UUID only if that is given; null: all are. */
export function searchFor(typed: string): ((item: Searched) => boolean) | null {
  const search = folded(typed.trim())
  const words = wordsOf(search)
  if (words.length === 0) return null
  return ({ name, slug, tags, uuid }) => {
    const text = textOf({ name, slug, tags })
    return (
      text.includes(search) || uuid?.includes(search) === true || (words.length > 1 && hasStarts(text, words))
    )
  }
}

/** Tells whether a check has all typed words as parts of its words: for a search that finds nothing else. */
export function searchForParts(typed: string): (item: Searched) => boolean {
  const words = wordsOf(folded(typed))
  return item => hasWords(textOf(item), words)
}

/** What a check is found by, folded. */
function textOf({ name, slug, tags }: Searched): string {
  return folded(`${name}\t${slug}\t${tags}`)
}

function sorted<T extends ListItem>(items: readonly T[], sort: ListSort): T[] {
  const rankBy = sort === 'state' ? rankOf : troubleOf
  const keyed = items.map(item => ({ item, rank: rankBy(item), key: KEYS[sort](item) }))
  const sign = sort === '-name' || sort === '-last_ping' || sort === 'duration' ? -1 : 1
  const since = (item: ListItem) => (sort === 'state' ? (item.troubleSince ?? 0) : 0)
  keyed.sort(
    (a, b) =>
      a.rank - b.rank ||
      since(b.item) - since(a.item) ||
      sign * compare(a.key, b.key) ||
      a.item.id - b.item.id,
  )
  return keyed.map(({ item }) => item)
}

/** The rank by trouble, which comes first in every order: down, late, running long, none. */
export function troubleOf({ status, runningLong }: Pick<ListItem, 'status' | 'runningLong'>): number {
  if (status === 'down') return 0
  return status === 'grace' ? 1 : runningLong ? 2 : 3
}

const CALM: Partial<Record<Status, number>> = { up: 3, new: 4, paused: 5 }

function rankOf(item: ListItem): number {
  const trouble = troubleOf(item)
  return trouble < 3 ? trouble : (CALM[item.status] ?? trouble)
}

const NEVER = Number.MAX_SAFE_INTEGER

const KEYS: Record<ListSort, (item: ListItem) => string | number> = {
  state: item => naturalKey(item.name),
  created: item => item.id,
  name: item => naturalKey(item.name),
  '-name': item => naturalKey(item.name),
  last_ping: item => item.lastPing ?? NEVER,
  '-last_ping': item => item.lastPing ?? 0,
  next: item => item.dueAt ?? NEVER,
  duration: item => item.lastDurationMs ?? 0,
}

/** Digits sort as numbers: `job 9` comes before `job 10`. */
function naturalKey(name: string): string {
  return name.toLowerCase().replace(/\d+/g, digits => digits.padStart(10, '0'))
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0
}
