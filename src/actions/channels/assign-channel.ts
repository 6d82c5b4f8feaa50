import type { StoreWith } from '../../storage/store.js'

/** Makes these checks, by UUID, those that a channel tells of. Returns how many of them there are. */
export async function assignChannel(
  store: StoreWith<'channels.assign'>,
  assignment: { id: number; projectId: number; checks: readonly string[]; now: number },
): Promise<number> {
  return await store.channels.assign(assignment)
}
