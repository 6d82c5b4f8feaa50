import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareBesideOneMore, sharesOf } from '../../../../src/jobs/dispatch/slots/shares.js'

const cases: [what: string, underWay: number[], free: number, shares: number[]][] = [
  ['a lone project may have all', [0], 48, [48]],
  ['and what it has counts', [20], 28, [48]],
  ['two share equally', [0, 0], 48, [24, 24]],
  ['what is left over goes to those whose turn it is', [0, 0, 0], 50, [17, 17, 16]],
  ['if there are few slots, the first get two each', [0, 0, 0], 5, [2, 2, 1]],
  ['and those with no message come before those with some', [1, 0, 0], 3, [1, 2, 1]],
  ['the one with the fewest messages gets the next slots', [32, 0, 0], 16, [32, 8, 8]],
  ['until it has as many as others', [3, 1, 9], 4, [4, 4, 9]],
  ['none are free', [2, 0], 0, [2, 0]],
  ['more are under way than may be', [2, 0], -3, [2, 0]],
  ['nobody waits', [], 48, []],
]

for (const [what, underWay, free, shares] of cases) {
  test(`slots are shared among projects: ${what}`, () => {
    const shared = sharesOf(new Map(underWay.entries()), free)
    assert.deepEqual([...shared.values()], shares)
  })
}

const besideOneMore: [what: string, underWay: number[], slots: number, share: number][] = [
  ['nothing is under way', [], 15, 15],
  ['one project has two thirds', [10], 15, 10],
  ['one has all', [15], 15, 10],
  ['two have many', [9, 6], 15, 6],
  ['one has many and one has few', [12, 3], 15, 8],
  ['there are more projects than slots', Array(20).fill(1), 15, 1],
]

for (const [what, underWay, slots, share] of besideOneMore) {
  test(`a project’s share leaves half as many for one more: ${what}`, () => {
    assert.equal(shareBesideOneMore(underWay, slots), share)
  })
}
