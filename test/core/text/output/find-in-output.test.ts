import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finderOf } from '../../../../src/core/text/output/find-in-output.js'

type Case = [name: string, output: string, text: string, line: number, excerpt: string]

const long = (count: number, word = 'x') => word.repeat(count)

/** The found text stands between bars. */
const CASES: readonly Case[] = [
  ['at the start', 'disk full', 'disk', 1, '|disk| full'],
  ['in a line', 'a\n  no: disk full.\nend', 'disk full', 2, 'no: |disk full|.'],
  ['at the start of a line', 'a\n\ndisk', 'disk', 3, '|disk|'],
  ['in another case', 'Disk FULL', 'disk full', 1, '|Disk FULL|'],
  ['in another case beyond ASCII', 'ПЛАТА ÜBERWEISUNG', 'überweisung', 1, 'ПЛАТА |ÜBERWEISUNG|'],
  ['where lower case is longer', 'İİİ ok', 'OK', 1, 'İİİ |ok|'],
  ['the first of several', 'x1\nx2', 'x', 1, '|x|1'],
  ['signs that have a meaning in patterns', 'cost: $5 (a.b)*[c]', '$5 (a.b)*[c]', 1, 'cost: |$5 (a.b)*[c]|'],
  ['across colours', '\x1b[31mdisk\x1b[0m full', 'disk full', 1, '|disk full|'],
  ['before the end of a line of Windows', 'a\r\ndisk full\r\nb', 'FULL', 2, 'disk |full|'],
  ['in progress', '10%\r50% slow\r100% done', 'slow', 1, '50% |slow|'],
  ['in a long line', `${long(99)}disk${long(200, 'y')}`, 'disk', 1, `…${long(40)}|disk|${long(120, 'y')}…`],
  [
    'beside half a character',
    `${long(30, '😀')}a${long(61, '😀')}`,
    'a',
    1,
    `…${long(20, '😀')}|a|${long(60, '😀')}…`,
  ],
  ['beside control characters', 'a\x00b\x07 disk', 'disk', 1, 'ab |disk|'],
]

for (const [name, output, text, line, excerpt] of CASES) {
  test(`a text is found ${name}`, () => {
    const found = finderOf(text)(output)
    assert.ok(found)
    assert.deepEqual([found.line, `${found.before}|${found.found}|${found.after}`], [line, excerpt])
  })
}

test('a text is not found across lines, and control sequences are not searched', () => {
  assert.equal(finderOf('disk full')('disk\nfull'), null)
  assert.equal(finderOf('31')('\x1b[31mred'), null)
  assert.equal(finderOf('a.c')('abc'), null)
})
