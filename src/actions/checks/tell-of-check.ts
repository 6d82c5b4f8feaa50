import type { Changes } from '../../lib/changes.js'
import type { WrittenCheck } from '../../storage/checks/change-checks.js'
import type { Store } from '../../storage/store.js'

/** What the actions on checks work with. */
export interface CheckDeps {
  store: Store
  changes: Changes
}

/** Tells those who wait for deadlines, for deliveries and for news of checks what a write brought. */
export function tellOfCheck(changes: Changes, written: WrittenCheck): WrittenCheck {
  if (written.wakeAt !== null) changes.tell('deadline', { at: written.wakeAt })
  if (written.alerts) changes.tell('deliveries', {})
  tellOfChecks(changes)
  return written
}

/** Tells those who show checks that they may look different now. */
export function tellOfChecks(changes: Changes): void {
  changes.tell('checks', {})
}
