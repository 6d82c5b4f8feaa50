import type { NativeCall } from '../native-operation.js'

/**
 * Whose tests are counted: those of a person by all their tokens, by tokens of projects that they made, and on pages together. Tokens
 * can be made without end, so one that nobody made, as on the command line, counts for its project.
 */
export async function testerOf({ deps, access }: NativeCall): Promise<string> {
  const { authorId, projectId } = access
  return authorId === null ? `project ${projectId}` : (await deps.store.people.preferences(authorId)).uuid
}
