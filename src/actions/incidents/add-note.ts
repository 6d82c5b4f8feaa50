import { Refusal } from '../../core/errors.js'
import { cleanNote } from '../../core/incidents/acknowledgement.js'
import type { Clock } from '../../lib/clock.js'
import type { StoreWith } from '../../storage/store.js'

/** Adds a note to an incident of a project. Throws `Refusal('invalid')` if it is empty or too long. */
export async function addNote(
  { store, clock }: { store: StoreWith<'incidents.addNote'>; clock: Clock },
  projectId: number,
  { id, by, note }: { id: number; by: string; note: string },
): Promise<void> {
  const text = cleanNote(note)
  if (text === '') throw new Refusal('invalid', 'the note is empty', 'note')
  await store.incidents.addNote(projectId, id, text, { by, now: clock.now() })
}
