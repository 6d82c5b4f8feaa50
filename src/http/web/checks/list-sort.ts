/** The order of the lists of checks. Each browser keeps the last requested one in a cookie. */
import { LIST_SORTS, type ListSort } from '../../../core/checks/check-list.js'
import type { ShownQuery } from '../../../views/check-list-query.js'
import type { WebContext } from '../context.js'
import { putCookie, readCookie } from '../cookies.js'

const COOKIE = 'punctual_sort'
const SECONDS = 365 * 86_400

/** The order if the address does not name one. */
export function usualSort(c: WebContext): ListSort {
  const kept = readCookie(c, COOKIE)
  return LIST_SORTS.find(sort => sort === kept) ?? 'state'
}

/** Makes the requested order the default of this browser. */
export function keepSort(c: WebContext, query: ShownQuery): void {
  if (query.sort === query.usualSort) return
  putCookie(c, COOKIE, query.sort, { maxAge: SECONDS })
  query.usualSort = query.sort
}
