/** Previews: the next occurrences, and what clock changes do to them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSchedule, upcoming } from '../../../src/core/schedule/index.js'

type Row = [instant: string, mark: 'moved' | 'duplicate' | 'skipped' | null, reading: string]

const PREVIEWS: [text: string, zone: string, from: string, rows: Row[]][] = [
  [
    '30 3 * * *',
    'Europe/Riga',
    '2021-03-27T00:00:00Z',
    [
      ['2021-03-27T01:30Z', null, '2021-03-27T03:30'],
      ['2021-03-28T01:00Z', 'moved', '2021-03-28T03:30'],
      ['2021-03-29T00:30Z', null, '2021-03-29T03:30'],
    ],
  ],
  [
    '03:30',
    'Europe/Riga',
    '2021-03-27T00:00:00Z',
    [
      ['2021-03-27T01:30Z', null, '2021-03-27T03:30'],
      ['2021-03-28T01:00Z', 'skipped', '2021-03-28T03:30'],
      ['2021-03-29T00:30Z', null, '2021-03-29T03:30'],
    ],
  ],
  [
    '*/30 * * * *',
    'Europe/Riga',
    '2021-10-31T00:00:00Z',
    [
      ['2021-10-31T00:30Z', null, '2021-10-31T03:30'],
      ['2021-10-31T01:00Z', 'duplicate', '2021-10-31T03:00'],
      ['2021-10-31T01:30Z', 'duplicate', '2021-10-31T03:30'],
      ['2021-10-31T02:00Z', null, '2021-10-31T04:00'],
    ],
  ],
  [
    '*/30 * * * *',
    'Europe/Riga',
    '2021-03-28T00:30:00Z',
    [
      ['2021-03-28T01:00Z', null, '2021-03-28T04:00'],
      ['2021-03-28T01:30Z', null, '2021-03-28T04:30'],
    ],
  ],
  [
    '*/20 3 * * *',
    'Europe/Riga',
    '2021-03-27T01:40:00Z',
    [
      ['2021-03-28T01:00Z', 'skipped', '2021-03-28T03:00'],
      ['2021-03-29T00:00Z', null, '2021-03-29T03:00'],
    ],
  ],
  [
    '0 12 30 12 *',
    'Pacific/Apia',
    '2011-01-01T00:00:00Z',
    [
      ['2011-12-30T10:00Z', 'moved', '2011-12-30T12:00'],
      ['2012-12-29T22:00Z', null, '2012-12-30T12:00'],
    ],
  ],
  [
    '03:30 Europe/Riga\n03:30',
    'UTC',
    '2021-03-28T00:00:00Z',
    [
      ['2021-03-28T01:00Z', 'skipped', '2021-03-28T03:30'],
      ['2021-03-28T03:30Z', null, '2021-03-28T03:30'],
      ['2021-03-29T00:30Z', null, '2021-03-29T03:30'],
    ],
  ],
]

test('a preview marks runs that a clock change moves, repeats or skips', () => {
  for (const [text, zone, from, rows] of PREVIEWS) {
    const count = rows.filter(([, mark]) => mark !== 'skipped').length
    const found = upcoming(parseSchedule(text), zone, Date.parse(from), count)
    assert.deepEqual(
      found.map(({ instant, mark, reading }) => [instant, mark, reading]),
      rows.map(([instant, mark, reading]) => [Date.parse(instant), mark, Date.parse(`${reading}Z`)]),
      `${text} in ${zone}`,
    )
  }
})

test('a preview ends with the schedule', () => {
  const schedule = parseSchedule('2030-01-01..03')
  assert.equal(upcoming(schedule, 'UTC', Date.UTC(2026, 0, 1), 10).length, 3)
  assert.deepEqual(upcoming(schedule, 'UTC', Date.UTC(2031, 0, 1), 10), [])
  assert.deepEqual(upcoming(schedule, 'UTC', Date.UTC(2026, 0, 1), 0), [])
})
