import type { NativeCall } from '../native-operation.js'

/** Whose tests are counted: those of a person by API and on pages together. */
export async function testerOf({ deps, access }: NativeCall): Promise<string> {
  const { personId, actor } = access
  return personId === null ? `token ${actor.id}` : (await deps.store.people.preferences(personId)).uuid
}
