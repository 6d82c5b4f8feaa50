/** The parts of the checks that workers have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idsInPart, isInPart, partOf } from '../../../../src/storage/instance/parts.js'
import { Shards, type Worker } from '../../../../src/storage/postgres/citus/shards.js'

const one = { host: 'one', port: 5432, group: 1, part: '' }
const two = { host: 'two', port: 5432, group: 2, part: '' }
const UP_TO = [-1_073_741_825, -1, 1_073_741_823, 2_147_483_647]

function shardsOf(workers: readonly Worker[]) {
  return workers.map((worker, id) => ({
    ...{ id, upTo: UP_TO[id]!, worker },
    ...{ checks: `checks_${id}`, details: `details_${id}`, flips: `flips_${id}`, pings: `pings_${id}` },
  }))
}

test('a check belongs to the part of its worker alone', () => {
  const list = shardsOf([one, two, one, two])
  const shards = new Shards(list)
  const [first, second] = [partOf(list, one), partOf(list, two)]
  assert.equal(first, '-2147483648:-1073741825+0:1073741823')
  for (let id = 1; id <= 1_000; id++) {
    assert.equal(isInPart(first, { id, projectId: 1 }), shards.workerOf(id) === one)
    assert.equal(isInPart(second, { id, projectId: 1 }), shards.workerOf(id) === two)
  }
})

test('a part keeps its checks when its shards are elsewhere', () => {
  const part = partOf(shardsOf([one, one, two, two]), one)
  assert.equal(part, '-2147483648:-1')
  const moved = new Shards(shardsOf([two, one, one, two]))
  const ids = idsInPart(moved, part)
  assert.deepEqual(ids.map(id => moved.indexOf(id)).sort(), [0, 1])
  assert.ok(ids.every(id => id < 1))
})
