import type { StoreSettings } from '../db.js'
import { pruneChecks } from '../instance/prune.js'
import type { Connections } from './connections.js'
import { write } from './transaction.js'

/**
 * Returns a function that prunes the logs of checks in the background, in one transaction at a time, each passed to
 * `watched`. If one fails, the check is pruned with its next hundred pings.
 */
export function pruner(
  connections: Connections,
  settings: StoreSettings,
  watched: (work: Promise<unknown>) => unknown,
): (checkIds: readonly number[], now: number) => void {
  const waiting = new Set<number>()
  let latest = 0
  let busy = false
  const work = async () => {
    while (waiting.size > 0) {
      const ids = [...waiting]
      waiting.clear()
      await write(connections, settings, db => pruneChecks(db, ids, latest), []).catch(() => {})
    }
    busy = false
  }
  return (checkIds, now) => {
    for (const id of checkIds) waiting.add(id)
    latest = now
    if (busy || waiting.size === 0) return
    busy = true
    watched(work())
  }
}
