/** The query of the list of checks, as in its address. */
import {
  LIST_GROUPS,
  LIST_SORTS,
  LIST_STATES,
  type ListQuery,
  type ListSort,
  type ListState,
} from '../core/checks/check-list.js'

export interface ShownQuery extends ListQuery {
  /** From 1. */
  page: number
}

/** The order if the address names none. It is not remembered, so a link shows the same list to everyone. */
export const USUAL_SORT: ListSort = 'state'

/** The reference's names for two of the statuses, which old bookmarks contain. */
const OTHER_NAMES: Record<string, ListState> = { grace: 'late', started: 'running' }

/** Parses the query of an address and ignores unknown values. */
export function readListQuery(params: URLSearchParams): ShownQuery {
  const states = params.getAll('status').map(name => OTHER_NAMES[name] ?? name)
  const sort = params.get('sort') as ListSort | null
  return {
    search: (params.get('search') ?? '').slice(0, 200),
    states: LIST_STATES.filter(state => states.includes(state)),
    tags: [...new Set(params.getAll('tag'))].filter(tag => tag !== '').slice(0, 20),
    sort: sort && LIST_SORTS.includes(sort) ? sort : USUAL_SORT,
    group: LIST_GROUPS.find(group => group === params.get('group')) ?? null,
    folded: [...new Set(params.getAll('fold'))].slice(0, 200),
    page: Math.max(1, Math.floor(Number(params.get('page')) || 1)),
  }
}

/** The query with changes, as the end of an address. A change leads back to the first page. */
export function listSearch(query: ShownQuery, changes: Partial<ShownQuery> = {}): string {
  const next = { ...query, page: 1, ...changes }
  const params = new URLSearchParams()
  if (next.search !== '') params.set('search', next.search)
  for (const state of next.states) params.append('status', state)
  for (const tag of next.tags) params.append('tag', tag)
  if (next.group !== null) params.set('group', next.group)
  if (next.group !== null) for (const key of next.folded) params.append('fold', key)
  if (next.sort !== USUAL_SORT) params.set('sort', next.sort)
  if (next.page > 1) params.set('page', String(next.page))
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

/** Whether the query hides any checks. */
export function isFiltered(query: ShownQuery): boolean {
  return query.search.trim() !== '' || query.states.length > 0 || query.tags.length > 0
}
