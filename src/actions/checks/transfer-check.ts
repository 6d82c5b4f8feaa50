import { type CheckDeps, tellOfChecks } from './tell-of-check.js'

/** Moves a check to another project; whether the asker may write there is the caller's to find out. */
export async function transferCheck(
  deps: CheckDeps,
  projectId: number,
  uuid: string,
  targetId: number,
): Promise<void> {
  await deps.store.moveCheck(projectId, uuid, targetId)
  tellOfChecks(deps.changes)
}
