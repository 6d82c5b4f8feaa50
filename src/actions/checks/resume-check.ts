import type { WrittenCheck } from '../../storage/checks/change-checks.js'
import { type CheckDeps, tellOfCheck } from './tell-of-check.js'

/** Makes a paused check new. See storage/checks/change-checks.ts. */
export async function resumeCheck(
  deps: CheckDeps,
  projectId: number,
  uuid: string,
  now: number,
): Promise<WrittenCheck> {
  return tellOfCheck(deps.changes, await deps.store.checks.resume(projectId, uuid, now))
}
