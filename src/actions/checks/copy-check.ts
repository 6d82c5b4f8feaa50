import { copyNames } from '../../core/checks/copy-names.js'
import { type CheckDeps, tellOfChecks } from './tell-of-check.js'

/** Makes another check like `check` in its project and returns its UUID. See storage/checks/copy-check.ts. */
export async function copyCheck(
  deps: CheckDeps,
  projectId: number,
  check: { uuid: string; name: string; slug: string },
  now: number,
): Promise<string> {
  const { uuid } = await deps.store.checks.copy(projectId, check.uuid, copyNames(check), now)
  tellOfChecks(deps.changes)
  return uuid
}
