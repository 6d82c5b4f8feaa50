import assert from 'node:assert/strict'
import { test } from 'node:test'
import { folded, hasStarts, matchFuzzily, matchWords, wordsOf } from '../../../src/core/text/match-words.js'

const fuzzy = (text: string, typed: string) => matchFuzzily(folded(text), wordsOf(typed))
const typed = (text: string, words: string) => matchWords(folded(text), wordsOf(words))

test('words are found in any order, ignoring case and accents', () => {
  assert.ok(typed('Nightly Backup of Zürich', 'ZURICH nightly') > 0)
  assert.ok(typed('Nightly backup of Zurich', 'zürich') > 0)
  assert.equal(typed('Nightly backup', 'nightly restore'), 0)
  assert.equal(typed('Nightly backup', ''), 0)
})

test('words begin words in any order, but not parts of them', () => {
  assert.equal(hasStarts('job 77 nightly', wordsOf('Night job')), true)
  assert.equal(hasStarts('job 177 nightly', wordsOf('job 77')), false)
})

test('a text that begins with the word comes before one that contains it', () => {
  const texts = ['Backup of mail', 'Mail backup', 'Mailbackups', 'Mail\nbackup', 'Mail']
  const scores = texts.map(text => typed(text, 'backup'))
  assert.deepEqual(
    [...scores].sort((a, b) => b - a),
    scores,
  )
  assert.equal(new Set(scores).size, texts.length)
  assert.equal(scores.at(-1), 0)
})

for (const [text, words] of [
  ['Backup of the shop', 'bakup'],
  ['Backup of the shop', 'backuup'],
  ['Backup of the shop', 'bacqup'],
  ['Backup of the shop', 'bakcup'],
  ['Backup of the shop', 'abckup'],
  ['Backup of the shop', 'vackup'],
  ['Backup of the shop', 'bkup'],
  ['Backup of the shop', 'bots'],
  ['invoices-nightly', 'in'],
  ['Nightly Postgres backup', 'postgers backup'],
] as const) {
  test(`“${words}” finds “${text}”`, () => assert.ok(fuzzy(text, words) > 0))
}

for (const [text, words] of [
  ['Backup of the shop', 'restore'],
  ['Backup of the shop', 'bx'],
  ['Backup of the shop', 'shopping cart'],
  ['Backup of the shop', 'bakcpu'],
  ['', 'backup'],
] as const) {
  test(`“${words}” does not find “${text}”`, () => assert.equal(fuzzy(text, words), 0))
}
