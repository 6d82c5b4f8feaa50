import { type CheckDeps, tellOfChecks } from './tell-of-check.js'

/** Moves a check to another project; whether the asker may write there is the caller's to find out. */
export async function transferCheck(
  deps: CheckDeps,
  move: { projectId: number; uuid: string; targetId: number; now: number },
): Promise<void> {
  await deps.store.checks.move(move)
  tellOfChecks(deps.changes)
}
