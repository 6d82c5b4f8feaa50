import type { Db } from '../db.js'
import type { LoadedCheck } from '../dialect.js'

/**
 * Writes the states of checks. `wake_at` is a lower bound of `alert_after`: it is written only where the
 * deadline comes earlier. Returns the earliest deadline (ms) that came earlier, or null.
 */
export async function saveStates(db: Db, checks: readonly LoadedCheck[]): Promise<number | null> {
  const { advanced, wakeAt } = advanceWakeUps(checks)
  await db.dialect.saveStates(checks, advanced)
  return wakeAt
}

/** Sets `wake_at` of the checks whose deadline comes earlier: their ids, and the earliest of them (ms), or null. */
export function advanceWakeUps(checks: readonly LoadedCheck[]): {
  advanced: Set<number>
  wakeAt: number | null
} {
  const advanced = new Set<number>()
  let wakeAt: number | null = null
  for (const check of checks) {
    if (check.alertAfter === null || (check.wakeAt !== null && check.wakeAt <= check.alertAfter)) continue
    check.wakeAt = check.alertAfter
    advanced.add(check.id)
    wakeAt = Math.min(wakeAt ?? Number.POSITIVE_INFINITY, check.alertAfter)
  }
  return { advanced, wakeAt }
}
