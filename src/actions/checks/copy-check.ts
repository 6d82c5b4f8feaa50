import { copyNames } from '../../core/checks/copy-names.js'
import type { StoreWith } from '../../storage/store.js'

/** Makes another check like `check` in its project and returns its UUID. See storage/checks/copy-check.ts. */
export async function copyCheck(
  store: StoreWith<'checks.copy'>,
  projectId: number,
  check: { uuid: string; name: string; slug: string },
  now: number,
): Promise<string> {
  const { uuid } = await store.checks.copy(projectId, check.uuid, copyNames(check), now)
  return uuid
}
