import type { Db } from '../db.js'
import type { LoadedCheck } from '../dialect.js'

/**
 * Writes the states of checks. `wake_at` is a lower bound of `alert_after`: it is written only where the
 * deadline comes earlier. Returns the earliest deadline (ms) that came earlier, or null.
 */
export async function saveStates(db: Db, checks: readonly LoadedCheck[]): Promise<number | null> {
  const saved = checks.map(check => ({ ...check, wakeAt: earlierWakeUp(check.wakeAt, check.alertAfter) }))
  const advanced = saved.filter(({ wakeAt }, place) => wakeAt !== checks[place]!.wakeAt)
  await db.dialect.saveStates(saved, new Set(advanced.map(({ id }) => id)))
  return advanced.reduce<number | null>((earliest, { wakeAt }) => earlierWakeUp(earliest, wakeAt), null)
}

/** When (ms) a check is to be looked at that is looked at `wakeAt` by now and goes down at `alertAfter`. */
export function earlierWakeUp(wakeAt: number | null, alertAfter: number | null): number | null {
  if (alertAfter === null) return wakeAt
  return wakeAt === null || alertAfter < wakeAt ? alertAfter : wakeAt
}
