import type { StoreSettings } from '../db.js'
import { pruneChecks } from '../instance/prune.js'
import type { Connections } from './connections.js'
import { write } from './transaction.js'

/**
 * Returns what forgets the old pings of checks after the pings that made their logs too long, in one transaction at
 * a time, each of which `watched` is given. Should one fail, the checks' turn comes again with their next hundred pings.
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
