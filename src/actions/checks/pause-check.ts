import type { WrittenCheck } from '../../storage/checks/change-checks.js'
import { type CheckDeps, tellOfCheck } from './tell-of-check.js'

/** Ends a check's monitoring until a ping or a resume. See storage/checks/change-checks.ts. */
export async function pauseCheck(
  deps: CheckDeps,
  projectId: number,
  uuid: string,
  now: number,
): Promise<WrittenCheck> {
  return tellOfCheck(deps.changes, await deps.store.checks.pause(projectId, uuid, now))
}
