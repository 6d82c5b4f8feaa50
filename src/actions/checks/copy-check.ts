import { copyNames } from '../../core/checks/copy-names.js'
import type { StoreWith } from '../../storage/store.js'

/** Copies `check` within its project and returns the copy's UUID. See storage/checks/copy-check.ts. */
export async function copyCheck(
  store: StoreWith<'checks.copy'>,
  projectId: number,
  check: { uuid: string; name: string; slug: string },
  now: number,
): Promise<string> {
  const { uuid } = await store.checks.copy(projectId, check.uuid, copyNames(check), now)
  return uuid
}
