import { acknowledgedUntil, cleanNote } from '../../core/incidents/acknowledgement.js'
import type { Clock } from '../../lib/clock.js'
import type { StoreWith } from '../../storage/store.js'

/** A request to acknowledge incidents. `until` (ms): null for as long as they are open. */
export interface AcknowledgeRequest {
  ids: readonly number[]
  by: string
  note: string
  until: number | null
}

/**
 * Acknowledges open incidents of a project, and returns the IDs of those that were not closed. Throws a `Refusal` for
 * the note (`invalid`, field `note`) or the end (field `until`), else as the store's method.
 */
export async function acknowledgeIncidents(
  { store, clock }: { store: StoreWith<'incidents.acknowledge'>; clock: Clock },
  projectId: number,
  { ids, by, note, until }: AcknowledgeRequest,
): Promise<number[]> {
  const now = clock.now()
  const asked = { by, now, note: cleanNote(note), until: acknowledgedUntil(until, now) }
  const { acknowledged } = await store.incidents.acknowledge(projectId, ids, asked)
  return acknowledged
}
