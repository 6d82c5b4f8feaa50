/** The groups and the pages of a list of checks. */
import { compareNames } from '../text/compare-names.js'
import { tagList } from './check.js'
import { LIST_STATES, type ListGroup, type ListItem, type ListQuery } from './check-list.js'

/** A group with the number of checks in it, and of those that are down or late. */
export interface GroupCount {
  /** A tag, empty for checks without tags; a state; or the UUID of a project. */
  key: string
  checks: number
  down: number
  late: number
}

/** Consecutive rows of a page. */
export interface ListSection<T> {
  /** Null in a list without groups. */
  group: GroupCount | null
  /** Whether its rows are hidden. */
  isFolded: boolean
  rows: T[]
}

/** A list in groups: a check with several tags is in each of theirs. Groups with trouble come first. */
export function grouped<T extends ListItem>(items: readonly T[], by: ListGroup): ListSection<T>[] {
  const sections = new Map<string, ListSection<T> & { group: GroupCount }>()
  for (const item of items) {
    for (const key of keysOf(item, by)) {
      let section = sections.get(key)
      if (!section) {
        section = { group: { key, checks: 0, down: 0, late: 0 }, isFolded: false, rows: [] }
        sections.set(key, section)
      }
      section.rows.push(item)
      section.group.checks += 1
      if (item.status === 'down') section.group.down += 1
      if (item.status === 'grace') section.group.late += 1
    }
  }
  const inOrder = [...sections.values()]
  if (by === 'state') return inOrder.sort((a, b) => stateRank(a.group.key) - stateRank(b.group.key))
  return inOrder.sort((a, b) => worst(a.group) - worst(b.group) || byKey(a.group, b.group))
}

/** One page of `found`, in sections; a page number beyond the last gives the last page. Folded groups take no rows. */
export function pageOf<T extends ListItem>(
  found: readonly T[],
  query: Pick<ListQuery, 'group' | 'folded'> & { page: number; pageSize: number },
): { sections: ListSection<T>[]; page: number; pages: number } {
  const { group, folded, pageSize } = query
  const all = group === null ? [{ group: null, isFolded: false, rows: [...found] }] : grouped(found, group)
  for (const section of all) {
    if (section.group === null || !folded.includes(section.group.key)) continue
    Object.assign(section, { isFolded: true, rows: [] })
  }
  const total = all.reduce((sum, { rows }) => sum + rows.length, 0)
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const page = Math.min(Math.max(1, query.page), pages)
  const from = (page - 1) * pageSize
  const to = from + pageSize
  let start = 0
  const sections: ListSection<T>[] = []
  for (const section of all) {
    const rows = section.rows.slice(Math.max(0, from - start), Math.max(0, to - start))
    const isHere = section.isFolded && start >= from && (start < to || page === pages)
    if (rows.length > 0 || isHere) sections.push({ ...section, rows })
    start += section.rows.length
  }
  return { sections, page, pages }
}

function keysOf(item: ListItem, by: ListGroup): readonly string[] {
  if (by === 'project') return [item.project]
  if (by === 'state') return [item.status === 'grace' ? 'late' : item.status]
  const tags = tagList(item.tags)
  return tags.length === 0 ? [''] : [...new Set(tags)]
}

function stateRank(state: string): number {
  return (LIST_STATES as readonly string[]).indexOf(state)
}

function worst({ down, late }: GroupCount): number {
  return down > 0 ? 0 : late > 0 ? 1 : 2
}

/** Checks without tags come last. */
function byKey(a: GroupCount, b: GroupCount): number {
  if (a.key === '' || b.key === '') return a.key === '' ? 1 : -1
  return compareNames(a.key, b.key)
}
