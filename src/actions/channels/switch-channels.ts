import { type CheckDeps, tellOfChecks } from '../checks/tell-of-check.js'

/** Makes checks tell a channel of their project, or not. Returns how many changed. See storage/channels/check-channels.ts. */
export async function switchChannels(
  deps: CheckDeps,
  projectId: number,
  names: { checks: readonly string[]; channel: string },
  on: boolean,
  now: number,
): Promise<number> {
  const changed = await deps.store.channels.switchForChecks(projectId, names, on, now)
  tellOfChecks(deps.changes)
  return changed
}
