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
 * Acknowledges open incidents of a project, and returns the IDs of those that were not closed: all or none unless they have thousands of channels
 * together. Throws a `Refusal` for the note (`invalid`, field `note`) or the end (field `until`), else as the store's method.
 */
export async function acknowledgeIncidents(
  { store, clock }: AcknowledgesDeps & { clock: Clock },
  projectId: number,
  { ids, by, note, until }: AcknowledgeRequest,
): Promise<number[]> {
  const now = clock.now()
  const asked = { by, now, note: cleanNote(note), until: acknowledgedUntil(until, now) }
  return await acknowledgeInSlices(store, projectId, ids, asked)
}

export interface AcknowledgesDeps {
  store: StoreWith<'incidents.acknowledge'>
}

type Acknowledge = AcknowledgesDeps['store']['incidents']['acknowledge']

/** As the store's method, in as many transactions as it takes. Throws what the first one throws, and what is no refusal. */
export async function acknowledgeInSlices(
  store: AcknowledgesDeps['store'],
  projectId: number,
  ids: readonly number[],
  asked: Omit<Parameters<Acknowledge>[2], 'goesOn'>,
): Promise<number[]> {
  const all: number[] = []
  for (let [left, goesOn] = [ids, false]; left.length > 0; goesOn = true) {
    const done = await store.incidents.acknowledge(projectId, left, { ...asked, goesOn })
    all.push(...done.acknowledged)
    left = done.left
  }
  return all.toSorted((a, b) => a - b)
}
