/** The store's `pings.lockedChecks`, asked of each worker on its own: one that does not answer keeps nothing of the others held. */
import { appendTo } from '../../../lib/append-to.js'
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
  for (const [{ checks }, some] of shards) {
    const read = async (how: string) => {
      const text = `SELECT id FROM ${checks} WHERE id = ANY($1::bigint[]) ${how}`
      return (await connection.query<{ id: number }>(text, [numbers([...some])])).rows.map(({ id }) => id)
    }
    const free = new Set(await read('FOR NO KEY UPDATE SKIP LOCKED'))
    if (some.some(id => !free.has(id))) locked.push(...(await read('')).filter(id => !free.has(id)))
  }
  return locked
}
