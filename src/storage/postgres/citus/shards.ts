/** Which shard, and so which worker, has the rows of a check. */

import { partOf } from '../../instance/parts.js'
import type { Connection } from '../connection.js'
import { hashBigint } from './hash.js'

/** A worker, as the coordinator reaches it. */
export interface Worker {
  host: string
  port: number
  /** The number by which Citus' catalog says what it has. */
  group: number
  /** The part of the checks that it had when it was asked where shards are; see parts.ts. */
  part: string
}

/** The SQLSTATE when a shard was moved away, and its tables removed. */
export const UNDEFINED_TABLE = '42P01'

/**
 * Keeps shards where they are until the transaction ends: Citus' own ShareLock (5), which waits for the ExclusiveLock of what moves
 * or splits one.
 */
export const HOLD_SHARDS = 'SELECT lock_shard_metadata(5, $1::bigint[])'

/** A part of the checks, with all that lies with them. */
export interface Shard {
  /** Of its table of checks, in Citus' catalog. */
  id: number
  /** The greatest hash that belongs to it. */
  upTo: number
  /** The names of its tables on its worker. */
  checks: string
  details: string
  flips: string
  pings: string
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

  /** The shard that has the rows of a check. */
  shardOf(checkId: number): Shard {
    return this.shards[this.indexOf(checkId)]!
  }

  /** The worker that has the rows of a check. */
  workerOf(checkId: number): Worker {
    return this.shardOf(checkId).worker
  }

  /** The workers that have shards. */
  workers(): Worker[] {
    return [...new Set(this.shards.map(({ worker }) => worker))]
  }

  /** The tables of checks, or of pings, that a worker has. */
  tablesOf(worker: Worker, which: 'checks' | 'pings'): string[] {
    return this.shards.filter(shard => shard.worker === worker).map(shard => shard[which])
  }

  /** Groups items by the shard of their check, in the order of the shards, in which all transactions lock them. */
  group<T>(items: Iterable<T>, checkId: (item: T) => number): T[][] {
    return this.groupByShard(items, checkId).map(([, group]) => group)
  }

  /** As `group`, each with its shard. */
  groupByShard<T>(items: Iterable<T>, checkId: (item: T) => number): (readonly [Shard, T[]])[] {
    const groups = new Map<number, T[]>()
    for (const item of items) {
      const index = this.indexOf(checkId(item))
      const group = groups.get(index)
      if (group) group.push(item)
      else groups.set(index, [item])
    }
    return [...groups].sort(([a], [b]) => a - b).map(([index, group]) => [this.shards[index]!, group])
  }
}

/** The workers as statements see them. */
export interface CheckServers {
  readonly shards: Shards
  /** Asks where the shards are, if that was long ago. Does not wait. */
  refresh(): void
  /** Whether a worker did not answer a moment ago. */
  isSilent(worker: Worker): boolean
  /** Asks a worker something about its checks; what `otherwise` returns if it is slow, cannot be reached or has lost a shard. */
  ask<R>(worker: Worker, ask: (connection: Connection) => Promise<R>, otherwise: () => Promise<R>): Promise<R>
  /** As `ask`; no rows otherwise. */
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
  const { rows } = await connection.query<{
    id: number
    up_to: number
    checks: string
    details: string
    flips: string
    pings: string
    host: string
    port: number
    group: number
  }>(
    `SELECT c.shardid AS id, c.shardmaxvalue::int AS up_to, shard_name(c.logicalrelid, c.shardid) AS checks,
            shard_name(d.logicalrelid, d.shardid) AS details, shard_name(f.logicalrelid, f.shardid) AS flips,
            shard_name(l.logicalrelid, l.shardid) AS pings, n.nodename AS host, n.nodeport AS port, n.groupid AS group
       FROM pg_dist_shard c
       JOIN pg_dist_shard d ON d.logicalrelid = to_regclass('check_details') AND d.shardmaxvalue = c.shardmaxvalue
       JOIN pg_dist_shard f ON f.logicalrelid = to_regclass('flips') AND f.shardmaxvalue = c.shardmaxvalue
       JOIN pg_dist_shard l ON l.logicalrelid = to_regclass('pings') AND l.shardmaxvalue = c.shardmaxvalue
       JOIN pg_dist_placement p ON p.shardid = c.shardid
       JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
      WHERE c.logicalrelid = to_regclass('checks') ORDER BY c.shardmaxvalue::int`,
  )
  if (rows.length === 0) return null
  // One object for each worker.
  const workers = new Map<string, Worker>()
  const workerAt = (worker: Worker) => {
    const key = `${worker.host} ${worker.port}`
    const known = workers.get(key) ?? worker
    workers.set(key, known)
    return known
  }
  const shards = rows.map(({ up_to: upTo, host, port, group, ...shard }) => ({
    ...shard,
    upTo,
    worker: workerAt({ host, port, group, part: '' }),
  }))
  for (const worker of workers.values()) worker.part = partOf(shards, worker)
  return new Shards(shards)
}
