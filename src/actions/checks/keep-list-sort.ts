import type { ListSort } from '../../core/checks/check-list.js'
import type { StoreWith } from '../../storage/store.js'

/**
 * Makes an order the one in which a person's lists of checks stand from now on.
 * Source: docs/behaviour.md, section 9.3.
 */
export async function keepListSort(
  store: StoreWith<'people.setListSort'>,
  userId: number,
  sort: ListSort,
): Promise<void> {
  await store.people.setListSort(userId, sort)
}
