import type { AskedCheck, UniqueValues, WrittenCheck } from '../../storage/checks/change-checks.js'
import { type CheckDeps, tellOfCheck } from './tell-of-check.js'

/** Makes a check, or changes the one that has the values of `unique`. See storage/checks/change-checks.ts. */
export async function createCheck(
  deps: CheckDeps,
  projectId: number,
  asked: AskedCheck & { unique: UniqueValues | null },
): Promise<WrittenCheck> {
  return tellOfCheck(deps.changes, await deps.store.checks.create(projectId, asked))
}
