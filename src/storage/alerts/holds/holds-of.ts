import type { Db } from '../../db.js'
import { dependencyHolds } from '../../incidents/dependencies/dependency-holds.js'
import { silenceHolds } from '../../silences/silence-holds.js'
import type { WaitingRow } from '../waiting.js'
import { type Held, type HoldableCheck, NOT_HELD } from './held.js'

/** What holds each check's alerts for a channel, by the checks' IDs; `checks`: the waiting rows of each. */
export async function holdsOf(
  db: Db,
  channelId: number,
  checks: readonly (readonly WaitingRow[])[],
  now: number,
): Promise<Map<number | null, Held>> {
  const silenced = checks.filter(([row]) => row!.mayBeHeld.silences).map(holdable)
  const dependent = checks.filter(([row]) => row!.mayBeHeld.parents).map(holdable)
  const bySilence = silenced.length > 0 ? await silenceHolds(db, channelId, silenced, now) : []
  const byDependency = dependent.length > 0 ? await dependencyHolds(db, dependent, now) : []
  const held = new Map<number | null, Held>()
  for (const { checkId, holds, wasSilent } of [...bySilence, ...byDependency]) {
    const before = held.get(checkId) ?? NOT_HELD
    held.set(checkId, {
      holds: [...before.holds, ...holds],
      wasSilent: at => before.wasSilent(at) || wasSilent(at),
    })
  }
  return held
}

function holdable(rows: readonly WaitingRow[]): HoldableCheck {
  const { checkId, mayBeHeld, change, createdAt } = rows.at(-1)!
  return {
    checkId: checkId!,
    projectId: mayBeHeld.projectId!,
    // A step or a repeat is stored later, which does not make the check go down again.
    downAt: change!.again === null ? Math.max(change!.at, createdAt) : change!.at,
  }
}
