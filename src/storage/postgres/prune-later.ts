import type { StoreSettings } from '../db.js'
import { isLocked } from '../errors.js'
import { pruneChecks } from '../instance/prune.js'
import { LOCK_WAIT } from '../locks.js'
import type { Shards } from './citus/shards.js'
import type { Connections } from './connections.js'
import { write } from './transaction.js'

/**
 * Returns a function that prunes the logs of checks in the background, in one transaction at a time for those that `shards`
 * has in one, all passed to `watched`. If one fails, its checks are pruned with their next hundred pings; if another transaction
 * has locked something of them, only those of which it has.
 */
export function pruner(
  connections: Connections,
  settings: StoreSettings,
  shards: Shards | null,
  watched: (work: Promise<unknown>) => unknown,
): (checkIds: readonly number[], now: number) => void {
  const waiting = new Set<number>()
  let latest = 0
  let busy = false
  const prune = async (ids: readonly number[]): Promise<void> => {
    const how = { locally: { lock_timeout: LOCK_WAIT.lockWaitMs } }
    try {
      await write(connections, settings, db => pruneChecks(db, ids, latest), [], how)
    } catch (error) {
      if (!isLocked(error) || ids.length === 1) return
      const half = Math.ceil(ids.length / 2)
      for (const some of [ids.slice(0, half), ids.slice(half)]) await prune(some)
    }
  }
  const work = async () => {
    while (waiting.size > 0) {
      const ids = [...waiting]
      waiting.clear()
      for (const some of shards?.group(ids, id => id) ?? [ids]) await prune(some)
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
