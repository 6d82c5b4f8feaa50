import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldedFailures } from '../../../src/core/pings/equal-failures.js'

/** Letters are failures, `.` is a start, `+` is something else, a space begins another day. Newest first. */
function folded(text: string): string {
  const entries = text.split(' ').flatMap((part, day) => [...part].map(letter => ({ letter, day })))
  const rows = foldedFailures(entries, {
    failureOf: ({ letter }) => (/[a-z]/.test(letter) ? letter : null),
    isBetween: ({ letter }) => letter === '.',
    dayOf: ({ day }) => day,
  })
  return rows.map(row => row.map(({ letter }) => letter).join('')).join(' ')
}

const CASES: [string, string, string][] = [
  ['three are one row', 'aaa', 'aaa'],
  ['two are not', 'aa+', 'a a +'],
  ['another failure ends it', 'aaabbb', 'aaa bbb'],
  ['anything else ends it', 'aaa+a', 'aaa + a'],
  ['a success between them ends it', 'aa+aa', 'a a + a a'],
  ['the starts of their runs are in it', 'a.a.a.+', 'a.a.a. +'],
  ['only one start before the first', 'aaa..+', 'aaa. . +'],
  ['starts of too few stay where they are', 'a.a.+', 'a . a . +'],
  ['each day has its own', 'aaaa aaa', 'aaaa aaa'],
  ['the start on the day before is not in it', 'aaa .+', 'aaa . +'],
  ['the newest start has not ended', '.aaa', '. aaa'],
  ['nothing', '', ''],
]

test('equal failures one after another on one day are one row of a list', () => {
  for (const [name, entries, expected] of CASES) assert.equal(folded(entries), expected, name)
})
