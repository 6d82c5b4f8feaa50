import type { StoreWith } from '../../storage/store.js'

/** Checks per transaction, so that pings get their turn in between. */
const SLICE = 500

/**
 * Makes every stored due time fit the runtime's zone data, named by `version`. Returns how many changed; at
 * once, when the data is the one that made them.
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
