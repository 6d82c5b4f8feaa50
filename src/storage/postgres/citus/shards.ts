/** Which shard, and so which worker, has the rows of a check. */
import type { Connection } from '../connection.js'
import { hashBigint } from './hash.js'

/** A worker, as the coordinator reaches it. */
export interface Worker {
  host: string
  port: number
}

interface Shard {
  /** The greatest hash that belongs to it. */
  upTo: number
  /** The name of its table of checks on its worker. */
  table: string
  worker: Worker
}

/** The shards of `checks`, in the order of their hashes. */
export class Shards {
  constructor(private shards: readonly Shard[]) {}

  /** Takes over where `later` says that the shards are. */
  update(later: Shards): void {
    this.shards = later.shards
  }

  /** The number of the shard that has a check. */
  indexOf(checkId: number): number {
    const hash = hashBigint(checkId)
    let [from, to] = [0, this.shards.length - 1]
    while (from < to) {
      const middle = (from + to) >> 1
      if (hash <= this.shards[middle]!.upTo) to = middle
      else from = middle + 1
    }
    return from
  }

  /** The worker that has the rows of a check. */
  workerOf(checkId: number): Worker {
    return this.shards[this.indexOf(checkId)]!.worker
  }

  /** The workers that have shards. */
  workers(): Worker[] {
    return [...new Set(this.shards.map(({ worker }) => worker))]
  }

  /** The tables of checks that a worker has. */
  tablesOf(worker: Worker): string[] {
    return this.shards.filter(shard => shard.worker === worker).map(({ table }) => table)
  }

  /** Groups items by the shard of their check, in the order of the shards, in which all transactions lock them. */
  group<T>(items: Iterable<T>, checkId: (item: T) => number): T[][] {
    const groups = new Map<number, T[]>()
    for (const item of items) {
      const index = this.indexOf(checkId(item))
      const group = groups.get(index)
      if (group) group.push(item)
      else groups.set(index, [item])
    }
    return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group)
  }
}

/** The workers as statements see them. */
export interface CheckServers {
  readonly shards: Shards
  /** Asks where the shards are, if that was long ago. Does not wait. */
  refresh(): void
  /** Asks a worker something about its checks; no rows if it is slow or cannot be reached. */
  watch<R extends object>(
    worker: Worker,
    ask: (connection: Connection) => Promise<{ rows: R[] }>,
  ): Promise<{ rows: R[] }>
}

/** The shards of a database; null if Citus does not distribute its checks. */
export async function readShards(connection: Connection): Promise<Shards | null> {
  const { rows: found } = await connection.query<{ known: string | null }>(
    `SELECT to_regclass('pg_dist_partition')::text AS known`,
  )
  if (found[0]!.known === null) return null
  const { rows } = await connection.query<{ up_to: number; name: string; host: string; port: number }>(
    `SELECT s.shardmaxvalue::int AS up_to, shard_name(s.logicalrelid, s.shardid) AS name, n.nodename AS host, n.nodeport AS port
       FROM pg_dist_shard s JOIN pg_dist_placement p ON p.shardid = s.shardid
       JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
      WHERE s.logicalrelid = to_regclass('checks') ORDER BY s.shardmaxvalue::int`,
  )
  if (rows.length === 0) return null
  // One object for each worker.
  const workers = new Map<string, Worker>()
  const workerAt = (host: string, port: number) => {
    const worker = workers.get(`${host} ${port}`) ?? { host, port }
    workers.set(`${host} ${port}`, worker)
    return worker
  }
  return new Shards(
    rows.map(({ up_to, name, host, port }) => ({ upTo: up_to, table: name, worker: workerAt(host, port) })),
  )
}
