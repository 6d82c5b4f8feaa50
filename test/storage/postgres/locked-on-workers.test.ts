/** Which checks are locked, asked of workers of which some do not answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lockedOnWorkers } from '../../../src/storage/postgres/citus/locked-on-workers.js'
import { type Shard, Shards, type Worker } from '../../../src/storage/postgres/citus/shards.js'
import type { Connection } from '../../../src/storage/postgres/connection.js'

const IDS = Array.from({ length: 40 }, (_, index) => index + 1)

test('checks whose worker does not answer count as locked, and those of others are free', async () => {
  const { workers, idsOf, away, asked } = world()
  assert.deepEqual(await lockedOnWorkers(workers, IDS), [])
  assert.equal(asked.length, 2)
  away.add(1)
  assert.deepEqual(inOrder(await lockedOnWorkers(workers, IDS)), idsOf(1))
})

test('a check is locked that is there and cannot be locked, whichever worker has it', async () => {
  const { workers, idsOf, away, locked, gone } = world()
  const [first, second] = [idsOf(1)[0]!, idsOf(2)[0]!]
  locked.add(first).add(second).add(idsOf(2)[1]!)
  gone.add(idsOf(2)[1]!)
  assert.deepEqual(inOrder(await lockedOnWorkers(workers, IDS)), inOrder([first, second]))
  away.add(1)
  assert.deepEqual(inOrder(await lockedOnWorkers(workers, IDS)), inOrder([...idsOf(1), second]))
})

test('no worker is asked about no checks', async () => {
  const { workers, asked } = world()
  assert.deepEqual([await lockedOnWorkers(workers, []), asked], [[], []])
})

/** Two workers with two shards each, of which those in `away` do not answer. */
function world() {
  const two = [1, 2].map((port): Worker => ({ host: 'w', port, group: port, part: '' }))
  const shards = new Shards(
    [-(2 ** 30), 0, 2 ** 30, 2 ** 31 - 1].map((upTo, index): Shard => {
      const names = { checks: `checks_${index}`, details: '', flips: '', pings: '' }
      return { id: index, upTo, ...names, worker: two[index % 2]! }
    }),
  )
  const [away, locked, gone] = [new Set<number>(), new Set<number>(), new Set<number>()]
  const asked: number[] = []
  const query = async (text: string, [ids]: string[]) => {
    const given = ids!.slice(1, -1).split(',').map(Number)
    for (const id of given) assert.ok(text.includes(`FROM ${shards.shardOf(id).checks} `), text)
    const found = given.filter(id => !gone.has(id) && !(text.includes('SKIP LOCKED') && locked.has(id)))
    return { rows: found.map(id => ({ id })) }
  }
  const workers = {
    shards,
    refresh() {},
    async ask<R>(worker: Worker, ask: (connection: Connection) => Promise<R>, otherwise: () => Promise<R>) {
      asked.push(worker.port)
      return away.has(worker.port) ? await otherwise() : await ask({ query } as never)
    },
  }
  const idsOf = (port: number) => IDS.filter(id => shards.workerOf(id).port === port)
  return { workers, idsOf, away, locked, gone, asked }
}

function inOrder(ids: readonly number[]): number[] {
  return ids.toSorted((a, b) => a - b)
}
