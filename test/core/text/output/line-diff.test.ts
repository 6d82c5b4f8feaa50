import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DiffLine, lineDiff } from '../../../../src/core/text/output/line-diff.js'

const written = (lines: readonly DiffLine[]) =>
  lines.map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`)

test('lines are the same, removed or added', () => {
  assert.deepEqual(written(lineDiff(['a', 'b', 'c'], ['a', 'x', 'c', 'd'])), [' a', '-b', '+x', ' c', '+d'])
  assert.deepEqual(written(lineDiff([], ['a'])), ['+a'])
  assert.deepEqual(written(lineDiff(['a'], [])), ['-a'])
  assert.deepEqual(lineDiff([], []), [])
})

/** The length of the longest common subsequence, the slow way. */
function common(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => Array(b.length + 1).fill(0) as number[])
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++)
      table[i]![j] =
        a[i - 1] === b[j - 1] ? table[i - 1]![j - 1]! + 1 : Math.max(table[i - 1]![j]!, table[i]![j - 1]!)
  return table[a.length]![b.length]!
}

test('a diff contains both texts, and no diff of them is shorter', () => {
  let seed = 3
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(seed / 65_536) % below
  }
  const lines = () => Array.from({ length: random(12) }, () => 'abc'[random(3)]!)
  for (let round = 0; round < 3_000; round++) {
    const [before, after] = [lines(), lines()]
    const diff = lineDiff(before, after)
    const without = (kind: DiffLine['kind']) =>
      diff.filter(line => line.kind !== kind).map(({ text }) => text)
    assert.deepEqual(without('added'), before)
    assert.deepEqual(without('removed'), after)
    assert.equal(diff.filter(({ kind }) => kind === 'same').length, common(before, after))
    const limited = lineDiff(before, after, 2)
    assert.deepEqual(
      limited.filter(({ kind }) => kind !== 'added').map(({ text }) => text),
      before,
    )
    assert.deepEqual(
      limited.filter(({ kind }) => kind !== 'removed').map(({ text }) => text),
      after,
    )
  }
})

test('texts without a common line end the search early', () => {
  const [before, after] = ['a', 'b'].map(letter => Array.from({ length: 2_000 }, (_, n) => `${letter}${n}`))
  const diff = lineDiff(['same', ...before!], ['same', ...after!])
  assert.deepEqual(
    [diff.length, diff[0]!.kind, diff[1]!.kind, diff.at(-1)!.kind],
    [4_001, 'same', 'removed', 'added'],
  )
})
