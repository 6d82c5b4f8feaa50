import type { Changes } from '../lib/changes.js'
import type { WrittenCheck } from '../storage/change-checks.js'
import type { Store } from '../storage/store.js'

/** What the actions on checks work with. */
export interface CheckDeps {
  store: Store
  changes: Changes
}

/** Tells those who wait for deadlines and deliveries what a write brought. */
export function tellOfCheck(changes: Changes, written: WrittenCheck): WrittenCheck {
  if (written.wakeAt !== null) changes.tell('deadline', { at: written.wakeAt })
  if (written.alerts) changes.tell('deliveries', {})
  return written
}
