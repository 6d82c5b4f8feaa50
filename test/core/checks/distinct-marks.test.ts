import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distinctMarks } from '../../../src/core/checks/distinct-marks.js'

const table: [string, string[], string[]][] = [
  ['the first letter where it differs', ['Operations pager', 'Backups'], ['O', 'B']],
  ['the letters of two words else', ['Backup alerts', 'backup reports'], ['BA', 'BR']],
  ['numbers where the words do not differ', ['POST example.org', 'POST example.com'], ['1', '2']],
  ['numbers where there is no letter', ['!', 'Ops'], ['1', '2']],
]

for (const [name, names, marks] of table) {
  test(`names get distinct marks: ${name}`, () => assert.deepEqual(distinctMarks(names), marks))
}
