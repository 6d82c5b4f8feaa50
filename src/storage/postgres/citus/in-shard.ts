/**
 * Queries about one check, asked of its worker: the coordinator would plan each of them, and begin and end a transaction on
 * the worker for it.
 */
import type { Dialect } from '../../dialect.js'
import type { Connection } from '../connection.js'
import type { CheckServers, Shard } from './shards.js'

/** Asks the worker of a check, in its shard, and the coordinator if the worker does not answer. */
export function inShard(
  coordinator: Connection,
  workers: CheckServers,
  checkId: number,
): Pick<Dialect, 'all' | 'arrays'> {
  const ask = async <R>(text: string, run: (connection: Connection, text: string) => Promise<R>) => {
    workers.refresh()
    const shard = workers.shards.shardOf(checkId)
    const own = textIn(shard, text)
    return await workers.ask(
      shard.worker,
      connection => run(connection, own),
      () => run(coordinator, text),
    )
  }
  return {
    all: async (text, values) =>
      await ask(text, async (connection, own) => (await connection.query<object>(own, values)).rows),
    arrays: async (text, values) =>
      await ask(text, async (connection, own) => await connection.arrays(own, values)),
  }
}

/** A query with the names of a shard's tables. Names of columns follow a dot, or are none of these. */
function textIn({ checks, details, flips, pings }: Shard, text: string): string {
  const names: Readonly<Record<string, string>> = { checks, check_details: details, flips, pings }
  return text.replace(/"(checks|check_details|flips|pings)"(?!\.)/g, (_, name: string) => names[name]!)
}
