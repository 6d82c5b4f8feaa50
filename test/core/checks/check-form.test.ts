import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../src/core/checks/check-fields.js'
import {
  type CheckForm,
  formOf,
  NEW_FORM,
  readCheckForm,
  sentForm,
  usesPart,
} from '../../../src/core/checks/check-form.js'
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
  ['45', null],
  ['0', 0],
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

test('an unchanged form does not change the check', () => {
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
  ['a limit over 30 days', { maxDurationSeconds: '31 days' }, ['maxDurationSeconds']],
  ['no failures to alert', { failuresToAlert: '0' }, ['failuresToAlert']],
  ['half a failure', { failureWindow: '2.5' }, ['failureWindow']],
  ['exit statuses over 255', { successExitCodes: '0,256' }, ['successExitCodes']],
  ['causes that do not exist', { tolerated: 'failed,bored' }, ['tolerated']],
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

test('fields of other kinds of schedule are ignored', () => {
  assert.deepEqual(errorsOf({ kind: 'simple', cron: 'nonsense', oncalendar: 'nonsense', tz: 'nonsense' }), [])
})

test('settings of runs are read from text, and empty fields are the defaults', () => {
  const typed: Partial<CheckForm> = {
    kind: 'cron',
    cron: '0 3 * * *',
    startWithinSeconds: '5 min',
    maxDurationSeconds: '1.5 h',
    failuresToAlert: ' 3 ',
    tolerated: 'missed,failed',
    successesToRecover: '',
    successExitCodes: '0, 3',
    earlySeconds: '',
  }
  const read = readCheckForm({ ...form, ...typed })
  assert.ok('changes' in read)
  const expected = {
    startWithinSeconds: 300,
    maxDurationSeconds: 5_400,
    minDurationSeconds: null,
    failuresToAlert: 3,
    tolerated: 'failed,missed',
    successesToRecover: 1,
    successExitCodes: '0,3',
    earlySeconds: 0,
  }
  assert.deepEqual({ ...read.changes, ...expected }, read.changes)
})

test('early pings are proposed for new checks, and only with a schedule', () => {
  assert.equal(NEW_FORM.earlySeconds, '1 minute')
  const simple = readCheckForm(NEW_FORM)
  assert.ok('changes' in simple && !('earlySeconds' in simple.changes))
  const cron = readCheckForm({ ...NEW_FORM, kind: 'cron', cron: '0 3 * * *' })
  assert.ok('changes' in cron)
  assert.equal(cron.changes.earlySeconds, 60)
})

test('a part of the form is in use if a field is neither the default nor proposed', () => {
  const cron = { ...NEW_FORM, kind: 'cron' as const }
  assert.equal(usesPart('runs', cron), false)
  assert.equal(usesPart('runs', { ...cron, earlySeconds: '0 seconds' }), false)
  assert.equal(usesPart('runs', { ...cron, earlySeconds: '2 minutes' }), true)
  assert.equal(usesPart('runs', { ...NEW_FORM, earlySeconds: '2 minutes' }), false)
  assert.equal(usesPart('runs', { ...NEW_FORM, failuresToAlert: '3' }), true)
})

test('several ticked boxes form a list; of other fields the last value counts', () => {
  const sent: Record<string, string[]> = { tolerated: ['failed', 'missed'], name: ['first', 'last'] }
  const { tolerated, name } = sentForm(input => sent[input] ?? [])
  assert.deepEqual([tolerated, name], ['failed,missed', 'last'])
})

test('a copy is named a copy, and its name is shortened if it would be too long', () => {
  assert.deepEqual(copyNames({ name: 'Backup', slug: 'backup' }), {
    name: 'Backup (copy)',
    slug: 'backup-copy',
  })
  const long = copyNames({ name: 'n'.repeat(95), slug: 's'.repeat(96) })
  assert.deepEqual(long, { name: `${'n'.repeat(90)}... (copy)`, slug: '' })
  assert.deepEqual(copyNames({ name: '', slug: '' }), { name: '', slug: '' })
})
