import { type CheckDeps, tellOfChecks } from '../checks/tell-of-check.js'

/** Makes a check tell a channel of its project, or not. See storage/channels/check-channels.ts. */
export async function switchChannel(
  deps: CheckDeps,
  projectId: number,
  names: { check: string; channel: string },
  on: boolean,
  now: number,
): Promise<void> {
  await deps.store.channels.switchForCheck(projectId, names, on, now)
  tellOfChecks(deps.changes)
}
