import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredStatus } from '../../../../src/core/checks/check.js'
import type { Flip } from '../../../../src/core/checks/flip.js'
import { dayBars, monthlyUptime, type Past, statusSpans } from '../../../../src/core/checks/history/uptime.js'

const at = (text: string) => Date.parse(`${text}Z`)
const HOUR = 3_600_000

/** The flips that lead through these statuses, each since the instant given. */
function story(first: StoredStatus, ...steps: [string, StoredStatus][]): Flip[] {
  let oldStatus = first
  return steps.map(([text, newStatus]) => {
    const flip: Flip = { createdAt: at(text), oldStatus, newStatus, reason: '' }
    oldStatus = newStatus
    return flip
  })
}

function past(createdAt: string, flips: Flip[], outages: [string, string][] = []): Past {
  return {
    check: { status: flips.at(-1)?.newStatus ?? 'new', createdAt: at(createdAt) },
    flips,
    outages: outages.map(([from, to]) => ({ startedAt: at(from), endedAt: at(to) })),
  }
}

const months: [string, Past, string, string, ([number, number, number | null] | null)[]][] = [
  [
    'a check that was never down',
    past('2025-01-01T00:00', story('new', ['2025-01-01T01:00', 'up'])),
    'UTC',
    '2026-03-15T00:00',
    [
      [0, 0, 100],
      [0, 0, 100],
      [0, 0, 100],
    ],
  ],
  [
    'months before the check was made have no figures',
    past('2026-03-02T00:00', []),
    'UTC',
    '2026-03-15T00:00',
    [[0, 0, null], null, null],
  ],
  [
    'what never pinged, or was paused throughout, has no figure',
    past(
      '2025-01-01T00:00',
      story(
        'new',
        ['2026-02-10T00:00', 'paused'],
        ['2026-03-10T00:00', 'up'],
        ['2026-03-11T00:00', 'paused'],
      ),
    ),
    'UTC',
    '2026-03-15T00:00',
    [
      [0, 0, 100],
      [0, 0, null],
      [0, 0, null],
    ],
  ],
  [
    'the time before it was created, before its first ping, while paused and still to come does not count',
    past(
      '2026-03-11T00:00',
      story(
        'new',
        ['2026-03-12T00:00', 'up'],
        ['2026-03-13T00:00', 'paused'],
        ['2026-03-14T00:00', 'up'],
        ['2026-03-14T12:00', 'down'],
      ),
    ),
    'UTC',
    '2026-03-15T00:00',
    [[1, 12, 75], null, null],
  ],
  [
    'an outage of Punctual during all that a check was up leaves no figure',
    past('2026-03-02T00:00', story('new', ['2026-03-03T00:00', 'up'], ['2026-03-04T00:00', 'paused']), [
      ['2026-03-02T12:00', '2026-03-04T12:00'],
    ]),
    'UTC',
    '2026-03-15T00:00',
    [[0, 0, null], null, null],
  ],
  [
    'a downtime across a boundary counts in both months',
    past('2025-01-01T00:00', story('up', ['2026-02-28T23:00', 'down'], ['2026-03-01T02:00', 'up'])),
    'UTC',
    '2026-03-15T00:00',
    [
      [1, 2, 99.4],
      [1, 1, 99.85],
      [0, 0, 100],
    ],
  ],
  [
    'a downtime that is not over counts until now',
    past('2025-01-01T00:00', story('up', ['2026-03-14T00:00', 'down'])),
    'UTC',
    '2026-03-15T00:00',
    [
      [1, 24, 92.85],
      [0, 0, 100],
      [0, 0, 100],
    ],
  ],
  [
    'an outage of Punctual in the middle is left out, and the downtime stays one',
    past('2025-01-01T00:00', story('up', ['2026-03-14T00:00', 'down'], ['2026-03-14T10:00', 'up']), [
      ['2026-03-14T04:00', '2026-03-14T06:00'],
    ]),
    'UTC',
    '2026-03-15T00:00',
    [
      [1, 8, 97.6],
      [0, 0, 100],
      [0, 0, 100],
    ],
  ],
  [
    'a downtime inside an outage does not count at all',
    past('2025-01-01T00:00', story('up', ['2026-03-14T04:30', 'down'], ['2026-03-14T05:00', 'up']), [
      ['2026-03-14T04:00', '2026-03-14T06:00'],
    ]),
    'UTC',
    '2026-03-15T00:00',
    [
      [0, 0, 100],
      [0, 0, 100],
      [0, 0, 100],
    ],
  ],
  [
    'months begin where the reader is: 23:30 UTC is the next month in Riga',
    past('2025-01-01T00:00', story('up', ['2026-02-28T23:30', 'down'], ['2026-03-01T00:30', 'up'])),
    'Europe/Riga',
    '2026-03-15T00:00',
    [
      [1, 1, 99.7],
      [0, 0, 100],
      [0, 0, 100],
    ],
  ],
]

for (const [name, given, tz, now, expected] of months) {
  test(`monthly downtime: ${name}`, () => {
    const found = monthlyUptime(given, tz, at(now)).map(
      month => month && [month.downtimes, month.downtimeMs / HOUR, month.uptime],
    )
    assert.deepEqual(found, expected)
  })
}

test('the statuses of a check have no gaps, whatever the order of its flips', () => {
  const flips = story(
    'new',
    ['2026-03-01T10:00', 'up'],
    ['2026-03-01T09:00', 'down'],
    ['2026-03-01T12:00', 'up'],
  )
  const spans = statusSpans(past('2026-03-01T08:00', flips), at('2026-03-01T13:00'))
  assert.deepEqual(
    spans.map(({ from, to, status }) => [(from - at('2026-03-01T08:00')) / HOUR, (to - from) / HOUR, status]),
    [
      [0, 2, 'new'],
      [2, 2, 'down'],
      [4, 1, 'up'],
    ],
  )
})

test('the bar shows each day’s worst status, and empty days before the check', () => {
  const flips = story(
    'new',
    ['2026-03-11T10:00', 'up'],
    ['2026-03-12T10:00', 'down'],
    ['2026-03-12T11:00', 'up'],
    ['2026-03-13T00:00', 'paused'],
    ['2026-03-14T00:00', 'new'],
  )
  const bars = dayBars(past('2026-03-11T08:00', flips), 'UTC', at('2026-03-14T12:00'), 5)
  assert.deepEqual(
    bars.map(bar => [bar.worst, bar.rest, bar.downtimes, bar.downtimeMs / HOUR]),
    [
      [null, null, 0, 0],
      ['up', 'up', 0, 0],
      ['down', 'up', 1, 1],
      ['paused', 'paused', 0, 0],
      ['new', 'new', 0, 0],
    ],
  )
})

test('a day of the bar is as long as on the clock', () => {
  const bars = dayBars(past('2026-01-01T00:00', story('new')), 'Europe/Riga', at('2026-03-29T12:00'), 1)
  assert.equal((bars[0]!.to - bars[0]!.from) / HOUR, 23)
})

test('a day that the clock skipped has no bar', () => {
  const skipped = past(
    '2011-12-20T00:00',
    story('new', ['2011-12-20T01:00', 'up'], ['2011-12-28T00:00', 'down']),
  )
  const bars = dayBars(skipped, 'Pacific/Apia', at('2012-01-02T00:00'), 6)
  assert.deepEqual(
    bars.map(({ worst }) => worst),
    ['down', 'down', null, 'down', 'down', 'down'],
  )
})
