/** The order of the lists of checks: each browser keeps the one that was asked for last, in a cookie. */
import { LIST_SORTS, type ListSort } from '../../../core/checks/check-list.js'
import type { ShownQuery } from '../../../views/check-list-query.js'
import type { WebContext } from '../context.js'
import { putCookie, readCookie } from '../cookies.js'

const COOKIE = 'punctual_sort'
const SECONDS = 365 * 86_400

/** The order of an address that names none. */
export function usualSort(c: WebContext): ListSort {
  const kept = readCookie(c, COOKIE)
  return LIST_SORTS.find(sort => sort === kept) ?? 'state'
}

/** Makes the order that was asked for the usual one. */
export function keepSort(c: WebContext, query: ShownQuery): void {
  if (query.sort === query.usualSort) return
  putCookie(c, COOKIE, query.sort, { maxAge: SECONDS })
  query.usualSort = query.sort
}
