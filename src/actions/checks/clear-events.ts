import { type CheckDeps, tellOfChecks } from './tell-of-check.js'

/** Forgets everything that happened to a check. See storage/pings/clear-events.ts. */
export async function clearEvents(
  deps: CheckDeps,
  projectId: number,
  uuid: string,
  now: number,
): Promise<void> {
  await deps.store.pings.clearEvents(projectId, uuid, now)
  tellOfChecks(deps.changes)
}
