/** Why a check went down, in the words of its alert. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrokenLimit } from '../../../src/core/alerts/alert.js'
import { downReason } from '../../../src/core/alerts/down-reason.js'
import type { FlipReason } from '../../../src/core/checks/flip.js'

const NOW = Date.UTC(2026, 2, 5, 12)
const MINUTE = 60_000

const reasons: [string, FlipReason, BrokenLimit | null, string][] = [
  [
    'a run that took too long',
    'overrun',
    { limitMs: 240 * MINUTE, startedAt: NOW - 252 * MINUTE, tookMs: null },
    'the run took longer than its limit of 4 h: it started 4 h 12 min ago',
  ],
  [
    'a run that was too short',
    'too_short',
    { limitMs: 30_000, startedAt: null, tookMs: 10_400 },
    'the run took 10 s, less than the expected 30 s',
  ],
  [
    'a run that was too short and not timed by its pings',
    'too_short',
    { limitMs: 30_000, startedAt: null, tookMs: null },
    'the run ended sooner than it may',
  ],
  [
    'a run that did not start',
    'missed',
    { limitMs: 5 * MINUTE, startedAt: null, tookMs: null },
    'no run started within 5 min after it was due',
  ],
  ['a check with the defaults', 'overrun', null, 'the run started but did not finish within its time limit'],
  ['a recovery', '', null, ''],
]

for (const [name, reason, limit, expected] of reasons) {
  test(`the reason of ${name}`, () => {
    const flip = { createdAt: NOW, oldStatus: 'up', newStatus: 'down', reason } as const
    assert.equal(downReason({ flip, limit, now: NOW }), expected)
  })
}
