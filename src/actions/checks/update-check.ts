import type { AskedCheck, WrittenCheck } from '../../storage/checks/change-checks.js'
import { type CheckDeps, tellOfCheck } from './tell-of-check.js'

/** Changes a check's settings; what is not named stays. See storage/checks/change-checks.ts. */
export async function updateCheck(
  deps: CheckDeps,
  projectId: number,
  uuid: string,
  asked: AskedCheck,
): Promise<WrittenCheck> {
  return tellOfCheck(deps.changes, await deps.store.checks.update(projectId, uuid, asked))
}
