import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../src/core/checks/check-fields.js'
import { type CheckForm, formOf, readCheckForm } from '../../../src/core/checks/check-form.js'
import { copyNames } from '../../../src/core/checks/copy-names.js'
import { parseDuration } from '../../../src/core/time/parse-duration.js'

const form: CheckForm = formOf(DEFAULT_SETTINGS)

function errorsOf(changes: Partial<CheckForm>): string[] {
  const read = readCheckForm({ ...form, ...changes })
  return 'errors' in read ? Object.keys(read.errors) : []
}

const lengths: [string, number | null][] = [
  ['1 day', 86_400],
  ['90 min', 5_400],
  ['1 h 30 min', 5_400],
  ['1 hour, 30 minutes', 5_400],
  ['1h30m', 5_400],
  ['1.5 h', 5_400],
  ['2w', 1_209_600],
  ['45', 2_700],
  ['60 s', 60],
  ['', null],
  ['soon', null],
  ['1 fortnight', null],
  ['1 h 30', null],
  ['-5 min', null],
]

for (const [text, seconds] of lengths) {
  test(`"${text}" is ${seconds === null ? 'no length of time' : `${seconds} seconds`}`, () => {
    assert.equal(parseDuration(text), seconds)
  })
}

test('a form that is sent back unchanged asks for what the check is', () => {
  for (const timing of [
    { kind: 'simple' as const, periodSeconds: 5_400 },
    { kind: 'cron' as const, schedule: '15 3 * * *', tz: 'Europe/Riga' },
    { kind: 'oncalendar' as const, schedule: 'Mon..Fri 09:00\nSat 10:00', tz: 'UTC' },
  ]) {
    const check = { ...DEFAULT_SETTINGS, ...timing, name: 'Backup', tags: 'a b', startKw: 'go' }
    const read = readCheckForm(formOf(check))
    assert.ok('changes' in read)
    for (const [name, value] of Object.entries(read.changes)) {
      assert.equal(check[name as keyof typeof check], value, name)
    }
  }
})

const wrong: [string, Partial<CheckForm>, string[]][] = [
  ['a period under a minute', { period: '30 s' }, ['period']],
  ['a grace over a year', { graceSeconds: '366 days' }, ['graceSeconds']],
  ['a slug with capitals', { slug: 'Backup' }, ['slug']],
  ['a name too long', { name: 'x'.repeat(101) }, ['name']],
  ['tags too long together', { tags: `${'x'.repeat(250)} ${'y'.repeat(251)}` }, ['tags']],
  ['no cron expression', { kind: 'cron', cron: ' ' }, ['cron']],
  ['an hour that no day has', { kind: 'cron', cron: '0 24 * * *' }, ['cron']],
  ['a calendar expression in the cron field', { kind: 'cron', cron: 'Mon 09:00' }, ['cron']],
  [
    'a cron expression in the calendar field',
    { kind: 'oncalendar', oncalendar: '0 3 * * *' },
    ['oncalendar'],
  ],
  ['a zone that is none', { kind: 'cron', cron: '0 3 * * *', tz: 'Mars/Olympus' }, ['tz']],
  [
    'several things at once',
    { name: 'x'.repeat(101), graceSeconds: '', slug: '!' },
    ['graceSeconds', 'name', 'slug'],
  ],
]

for (const [name, changes, fields] of wrong) {
  test(`the form says what is wrong with ${name}`, () => {
    assert.deepEqual(errorsOf(changes).sort(), fields.sort())
  })
}

test('fields of the kinds that were not chosen do not matter', () => {
  assert.deepEqual(errorsOf({ kind: 'simple', cron: 'nonsense', oncalendar: 'nonsense', tz: 'nonsense' }), [])
})

test('a copy is called a copy, and shortened where that would be too long', () => {
  assert.deepEqual(copyNames({ name: 'Backup', slug: 'backup' }), {
    name: 'Backup (copy)',
    slug: 'backup-copy',
  })
  const long = copyNames({ name: 'n'.repeat(95), slug: 's'.repeat(96) })
  assert.deepEqual(long, { name: `${'n'.repeat(90)}... (copy)`, slug: '' })
  assert.deepEqual(copyNames({ name: '', slug: '' }), { name: '', slug: '' })
})
