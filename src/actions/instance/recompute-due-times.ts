import type { StoreWith } from '../../storage/store.js'

/** Checks per transaction. Between transactions, pings are recorded. */
const SLICE = 500

/**
 * Recomputes every stored due time with the runtime's zone data, named by `version`. Returns the number of due times
 * that changed. Returns at once if the stored due times were computed with the same data.
 */
export async function recomputeDueTimes(
  store: StoreWith<'instance.recomputeDueTimes'>,
  version: string,
): Promise<number> {
  let changed = 0
  for (let afterId = 0; ; ) {
    const slice = await store.instance.recomputeDueTimes(version, afterId, SLICE)
    changed += slice.changed
    if (slice.done) return changed
    afterId = slice.lastId
  }
}
