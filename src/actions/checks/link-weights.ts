import type { StoreWith } from '../../storage/store.js'

/** The number of links of a check to channels that take about as long as creating a check. Decision 0123. */
export const LINKS = 50

/** So many checks are little work, whatever they are linked to. */
const FEW = 20

/** How much work checks of a project are whose links to channels are written, alerted or recorded. See {@link inSlices}. */
export async function linkWeights(
  store: StoreWith<'channels.linkCounts'>,
  projectId: number,
  uuids: readonly string[],
): Promise<number[]> {
  if (uuids.length <= FEW) return uuids.map(() => 1)
  const counts = await store.channels.linkCounts(projectId)
  return uuids.map(uuid => 1 + (counts.get(uuid) ?? 0) / LINKS)
}
