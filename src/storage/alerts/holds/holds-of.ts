import { unplannedDowns } from '../../../core/alerts/delivery/under-holds.js'
import type { Db } from '../../db.js'
import { dependencyHolds } from '../../incidents/dependencies/dependency-holds.js'
import type { SilenceHolds } from '../../silences/silence-holds.js'
import type { WaitingRow } from '../waiting/waiting-row.js'
import { type Held, type HoldableCheck, NOT_HELD } from './held.js'

/**
 * What holds each check's alerts for a channel, by the checks' IDs; `checks`: the waiting rows of each, `silences`: see
 * {@link SilenceHolds}.
 */
export async function holdsOf(
  db: Db,
  channelId: number,
  checks: readonly (readonly WaitingRow[])[],
  { now, silences }: { now: number; silences: SilenceHolds },
): Promise<Map<number | null, Held>> {
  const silenced = checks.filter(([row]) => row!.mayBeHeld.silences).map(holdable)
  const dependent = checks.filter(([row]) => row!.mayBeHeld.parents).map(holdable)
  const bySilence = silenced.length > 0 ? await silences(channelId, silenced) : []
  const byDependency = dependent.length > 0 ? await dependencyHolds(db, dependent, now) : []
  const held = new Map<number | null, Held>()
  for (const { checkId, holds, heldAt } of [...bySilence, ...byDependency]) {
    const before = held.get(checkId) ?? NOT_HELD
    held.set(checkId, {
      holds: [...before.holds, ...holds],
      heldAt: at => before.heldAt(at) ?? heldAt(at),
    })
  }
  return held
}

function holdable(rows: readonly WaitingRow[]): HoldableCheck {
  const { checkId, mayBeHeld } = rows[0]!
  const changes = rows.map(row => row.change!)
  return {
    checkId: checkId!,
    projectId: mayBeHeld.projectId!,
    downAt: downAtOf(rows),
    unplannedDowns: unplannedDowns(changes).map(({ at }) => at),
  }
}

/** When the check last went down; 0 if no alert waits that says so. */
function downAtOf(rows: readonly WaitingRow[]): number {
  const downs = rows.filter(({ change }) => change!.status === 'down')
  const alert = downs.findLast(({ change }) => change!.again === null)
  // A step or a repeat is stored later, which does not make the check go down again.
  return alert ? Math.max(alert.change!.at, alert.createdAt) : (downs.at(-1)?.change?.at ?? 0)
}
