import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactWords, rangeWords, rfcDate, spanWords } from '../../../src/core/time/instant.js'

const at = (text: string) => Date.parse(text)

test('an instant is formatted as an e-mail date, in the reader’s zone', () => {
  const instant = at('2026-01-01T08:30:05.999Z')
  assert.equal(rfcDate(instant, 'UTC'), 'Thu, 01 Jan 2026 08:30:05 +0000')
  assert.equal(rfcDate(instant, 'Europe/Riga'), 'Thu, 01 Jan 2026 10:30:05 +0200')
  assert.equal(rfcDate(instant, 'America/St_Johns'), 'Thu, 01 Jan 2026 05:00:05 -0330')
  assert.equal(rfcDate(at('2026-07-01T00:00:00Z'), 'Europe/Riga'), 'Wed, 01 Jul 2026 03:00:00 +0300')
})

test('an unknown zone counts as UTC', () => {
  assert.equal(rfcDate(0, 'Mars/Olympus'), 'Thu, 01 Jan 1970 00:00:00 +0000')
})

test('a span shows the day only if it is not today', () => {
  const now = at('2026-03-05T12:00:00Z')
  const span = (from: string, to: string, tz = 'UTC') => spanWords(at(from), at(to), now, tz)
  assert.equal(span('2026-03-05T03:00:00Z', '2026-03-05T03:02:00Z'), '03:00-03:02 UTC')
  assert.equal(span('2026-03-04T03:00:00Z', '2026-03-04T03:02:00Z'), '4 Mar 2026 03:00-03:02 UTC')
  assert.equal(
    span('2026-03-04T23:58:00Z', '2026-03-05T00:04:00Z'),
    '4 Mar 2026 23:58 to 5 Mar 2026 00:04 UTC',
  )
  assert.equal(span('2026-03-05T03:00:00Z', '2026-03-05T03:02:00Z', 'Asia/Kolkata'), '08:30-08:32 UTC+05:30')
})

test('a range says the day of both ends, unless both are today', () => {
  const now = at('2026-03-05T12:00:00Z')
  const range = (from: string, to: string, tz = 'UTC') => rangeWords(at(from), at(to), now, tz)
  assert.equal(range('2026-03-05T03:00:00Z', '2026-03-05T04:00:00Z'), '03:00 to 04:00')
  assert.equal(range('2026-03-04T20:00:00Z', '2026-03-05T08:00:00Z'), '4 Mar 20:00 to 5 Mar 08:00')
  assert.equal(range('2025-12-30T00:00:00Z', '2025-12-31T00:00:00Z'), '30 Dec 2025')
  assert.equal(range('2026-03-03T23:00:00Z', '2026-03-04T23:00:00Z', 'Europe/Berlin'), '4 Mar')
  assert.equal(range('2026-03-03T00:00:00Z', '2026-03-05T00:00:00Z'), '3 Mar 00:00 to 5 Mar 00:00')
})

test('instants read as those that Intl writes, in every kind of zone and around its changes', () => {
  const zones = [
    'UTC',
    'Europe/Riga',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Africa/Casablanca',
  ]
  for (const timeZone of zones) {
    const intl = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, hourCycle: 'h23', weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
      ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'longOffset' },
    })
    for (let hour = 0; hour < 3 * 366 * 24; hour += 5) {
      const ms = at('2024-12-30T23:59:59Z') + hour * 3_600_000
      const part = Object.fromEntries(intl.formatToParts(ms).map(({ type, value }) => [type, value]))
      const zone = timeZone === 'UTC' ? 'UTC' : `UTC${part.timeZoneName!.slice(3) || '+00:00'}`
      const time = `${part.hour}:${part.minute}:${part.second}`
      assert.equal(
        exactWords(ms, timeZone),
        `${part.weekday} ${part.day} ${part.month} ${part.year} ${time} ${zone}`,
      )
    }
  }
})
