import type { WrittenCheck } from '../../storage/checks/change-checks.js'
import { type CheckDeps, tellOfCheck } from './tell-of-check.js'

/** Deletes a check with all that is known of it; returns it as it was. See storage/checks/change-checks.ts. */
export async function deleteCheck(
  deps: CheckDeps,
  projectId: number,
  uuid: string,
  now: number,
): Promise<WrittenCheck> {
  return tellOfCheck(deps.changes, await deps.store.checks.delete(projectId, uuid, now))
}
