import type { BulkEdit, PlannedEdit } from '../../core/checks/bulk-edit/edit-check.js'
import { chunks } from '../../storage/chunks.js'
import type { StoreWith } from '../../storage/store.js'

/** How many checks one read is about: on SQLite the reads of others, for alerts too, wait for it. */
const AT_ONCE = 100

/** The checks of these projects with the outcome of an edit, in the order of the UUIDs. See storage/checks/edit-checks.ts. */
export async function previewEdits(
  store: StoreWith<'checks.previewEdit'>,
  { projectIds, uuids, edit }: { projectIds: readonly number[]; uuids: readonly string[]; edit: BulkEdit },
): Promise<PlannedEdit[]> {
  const rows: PlannedEdit[] = []
  for (const some of chunks(uuids, AT_ONCE))
    rows.push(...(await store.checks.previewEdit({ projectIds, uuids: some, edit })))
  return rows
}
