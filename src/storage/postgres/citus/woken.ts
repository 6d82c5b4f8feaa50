/**
 * What is asked of each worker about its own checks, all at once, so that one that cannot be reached does not keep the others'
 * checks from being judged, nor alerts about them from being sent. Checks to be judged are locked through the coordinator afterwards.
 */
import { numbers } from '../arrays.js'
import type { CheckServers, Worker } from './shards.js'

interface Woken {
  id: number
  wake_at: number
}

/** The IDs of up to `limit` checks whose `wake_at` is not after `now`, the earliest or the latest ones, without `except`. */
export async function wokenIds(
  workers: CheckServers,
  now: number,
  limit: number,
  which: 'earliest' | 'latest',
  except: readonly number[],
): Promise<number[]> {
  const order = which === 'earliest' ? 'ASC' : 'DESC'
  const rows = await askEach<Woken>(
    workers,
    'checks',
    table =>
      `(SELECT id, wake_at FROM ${table} WHERE wake_at <= $1 AND id <> ALL($3::bigint[])
         ORDER BY wake_at ${order} LIMIT $2)`,
    [now, limit, numbers(except)],
  )
  const sign = which === 'earliest' ? 1 : -1
  rows.sort((a, b) => sign * (a.wake_at - b.wake_at))
  return rows.slice(0, limit).map(({ id }) => id)
}

/** The earliest `wake_at` of all checks, or null. */
export async function earliestWakeUp(workers: CheckServers): Promise<number | null> {
  const rows = await askEach<Woken>(
    workers,
    'checks',
    table => `(SELECT id, wake_at FROM ${table} WHERE wake_at IS NOT NULL ORDER BY wake_at LIMIT 1)`,
    [],
  )
  return rows.length === 0 ? null : Math.min(...rows.map(({ wake_at }) => wake_at))
}

/** The newest `limit` pings of all checks, the newest first. */
export async function newestPings(
  workers: CheckServers,
  limit: number,
): Promise<{ checkId: number; at: number }[]> {
  const rows = await askEach<{ id: number; checkId: number; at: number }>(
    workers,
    'pings',
    table => `(SELECT id, check_id AS "checkId", created_at AS at FROM ${table} ORDER BY id DESC LIMIT $1)`,
    [limit],
  )
  return rows.sort((a, b) => b.id - a.id).slice(0, limit)
}

/**
 * What the workers that answer have. Their shards are read by their own names, because a question about `checks` would be asked
 * of every worker. One that was moved away a moment ago is at worst read once more: whoever locks a row looks again.
 */
async function askEach<R extends object>(
  workers: CheckServers,
  which: 'checks' | 'pings',
  ofTable: (table: string) => string,
  values: readonly unknown[],
): Promise<R[]> {
  workers.refresh()
  const ask = async (worker: Worker) => {
    const text = workers.shards.tablesOf(worker, which).map(ofTable).join(' UNION ALL ')
    const { rows } = await workers.watch(worker, connection => connection.query<R>(text, values))
    return rows
  }
  return (await Promise.all(workers.shards.workers().map(ask))).flat()
}
