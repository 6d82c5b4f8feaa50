import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  choice,
  type FieldType,
  flag,
  optionalSeconds,
  seconds,
  text,
} from '../../../src/core/checks/check-field.js'
import { readValue, sentValue, typedValue } from '../../../src/core/checks/typed-value.js'

const kept: [string, FieldType, typed: string | boolean, value: unknown][] = [
  ['text without the spaces around it', text({ maxLength: 5 }), ' abc ', 'abc'],
  ['as many characters as fit, whatever their bytes', text({ maxLength: 2 }), '💾💾', '💾💾'],
  ['words with one space between them', text({ words: true }), ' a  b ', 'a b'],
  ['a length of time in seconds', seconds(60, 3_600), '5 min', 300],
  ['nothing, where a length of time may be left out', optionalSeconds(60, 3_600), ' ', null],
  ['a length of time that may be left out', optionalSeconds(60, 3_600), '1 h', 3_600],
  ['a choice', choice('', 'POST'), 'POST', 'POST'],
  ['a tick', flag, true, true],
]

for (const [name, type, typed, value] of kept) {
  test(`a form reads ${name} and shows it unchanged`, () => {
    const read = readValue(type, typed)
    assert.deepEqual(read, { value })
    assert.ok('value' in read)
    assert.deepEqual(readValue(type, typedValue(type, read.value)), read)
  })
}

const refused: [FieldType, typed: string, problem: RegExp][] = [
  [text({ maxLength: 2 }), 'abc', /^At most 2 characters; this has 3\.$/],
  [text({ maxLength: 2, words: true }), 'a bc', /^At most 2 characters in all; these have 4\.$/],
  [text({ format: 'slug' }), 'A b', /^Only small letters/],
  [seconds(60, 3_600), '', /, from 1 minute to 1 hour\.$/],
  [optionalSeconds(60, 3_600), 'soon', /, from 1 minute to 1 hour, or leave it empty\.$/],
  [optionalSeconds(60, 3_600), '59 s', /^Enter a length of time/],
  [optionalSeconds(60, 3_600), '61 min', /^Enter a length of time/],
]

for (const [type, typed, problem] of refused) {
  test(`a form explains what is wrong with "${typed}" as ${JSON.stringify(type)}`, () => {
    const read = readValue(type, typed)
    assert.match('problem' in read ? read.problem : '', problem)
  })
}

test('an unknown value is the first choice, or an unticked box', () => {
  assert.equal(sentValue(choice('', 'POST'), 'GET'), '')
  assert.equal(sentValue(flag, 'on'), false)
  assert.equal(sentValue(flag, 'true'), true)
})
