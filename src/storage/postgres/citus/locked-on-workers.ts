/** The store's `pings.lockedChecks`, asked of each worker on its own: one that does not answer keeps nothing of the others held. */
import { appendTo } from '../../../lib/append-to.js'
import { lockedAmong } from '../../locks.js'
import { numbers } from '../arrays.js'
import type { Connection } from '../connection.js'
import type { CheckServers, Shard, Worker } from './shards.js'

type IdsInShard = readonly [Shard, readonly number[]]

/** The checks with these IDs that another transaction has locked, or whose worker does not answer. */
export async function lockedOnWorkers(
  workers: Pick<CheckServers, 'shards' | 'refresh' | 'ask'>,
  ids: readonly number[],
): Promise<number[]> {
  workers.refresh()
  const groups = new Map<Worker, IdsInShard[]>()
  for (const group of workers.shards.groupByShard(ids, id => id)) appendTo(groups, group[0].worker, group)
  const answers = await Promise.all(
    [...groups].map(([worker, shards]) =>
      workers.ask(
        worker,
        connection => lockedIn(connection, shards),
        async () => shards.flatMap(([, some]) => some),
      ),
    ),
  )
  return answers.flat()
}

/** Each statement is a transaction, so that the locks of the free ones end at once. */
async function lockedIn(connection: Connection, shards: readonly IdsInShard[]): Promise<number[]> {
  const locked: number[] = []
  for (const [{ checks }, ids] of shards) {
    const ask = (how: string) => async (some: readonly number[]) => {
      const text = `SELECT id FROM ${checks} WHERE id = ANY($1::bigint[]) ${how}`
      return (await connection.query<{ id: number }>(text, [numbers([...some])])).rows
    }
    const found = await lockedAmong(ids, { free: ask('FOR NO KEY UPDATE SKIP LOCKED'), there: ask('') })
    locked.push(...found)
  }
  return locked
}
