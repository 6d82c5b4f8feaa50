import { nextDeadlineAt } from '../../../core/checks/health/settle.js'
import type { Db } from '../../db.js'
import type { LoadedCheck } from '../../dialect.js'

/**
 * Writes the states of checks. `wake_at` is a lower bound of the next deadline, so it is written only if that moves
 * earlier. Returns the earliest deadline (ms) that moved earlier, or null.
 */
export async function saveStates(db: Db, checks: readonly LoadedCheck[]): Promise<number | null> {
  const saved = checks.map(check => ({
    ...check,
    wakeAt: earlierWakeUp(check.wakeAt, nextDeadlineAt(check)),
  }))
  const advanced = saved.filter(({ wakeAt }, place) => wakeAt !== checks[place]!.wakeAt)
  await db.dialect.saveStates(saved, { wakeAt: idsOf(advanced), tracking: idsOf(saved) })
  return advanced.reduce<number | null>((earliest, { wakeAt }) => earlierWakeUp(earliest, wakeAt), null)
}

/** The wake-up time (ms) of a check that has the wake-up time `wakeAt` and the next deadline `deadline`. */
export function earlierWakeUp(wakeAt: number | null, deadline: number | null): number | null {
  if (deadline === null) return wakeAt
  return wakeAt === null || deadline < wakeAt ? deadline : wakeAt
}

/** A check's tracking as it is stored. */
export function trackingText({ tracking }: Pick<LoadedCheck, 'tracking'>): string | null {
  return tracking === null ? null : JSON.stringify(tracking)
}

export function idsOf(checks: readonly LoadedCheck[]): Set<number> {
  return new Set(checks.map(({ id }) => id))
}
