import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  afterFlapping,
  FLAPPING_CHANGES,
  isFlapping,
  STEADY_MS,
} from '../../../../src/core/alerts/delivery/flapping.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = Date.parse('2026-03-05T12:00:00Z')

test('six changes within an hour are flapping until 15 minutes without a change', () => {
  const every = (gap: number, count: number) => Array.from({ length: count }, (_, index) => NOW - index * gap)
  assert.equal(isFlapping(every(12 * MINUTE, FLAPPING_CHANGES), NOW), true)
  assert.equal(isFlapping(every(12 * MINUTE, FLAPPING_CHANGES - 1), NOW), false)
  assert.equal(isFlapping(every(12 * MINUTE + 1, FLAPPING_CHANGES), NOW), false)
  assert.equal(isFlapping(every(MINUTE, 12), NOW + STEADY_MS - 1), true)
  assert.equal(isFlapping(every(MINUTE, 12), NOW + STEADY_MS), false)
  assert.equal(isFlapping([], NOW), false)
})

test('a change of a flapping check is held until the check is stable', () => {
  const flapping = { reportedAt: NOW - MINUTE, changedAt: NOW - MINUTE }
  const held = { state: 'held', until: NOW + STEADY_MS }
  assert.deepEqual(afterFlapping(flapping, NOW, NOW, NOW), held)
  assert.deepEqual(afterFlapping(flapping, NOW, NOW, NOW + STEADY_MS - 1), held)
  assert.deepEqual(afterFlapping(flapping, NOW, NOW, NOW + STEADY_MS), { state: 'steady' })
  const later = { state: 'held', until: NOW + MINUTE + STEADY_MS }
  assert.deepEqual(afterFlapping(flapping, NOW, NOW + MINUTE, NOW + STEADY_MS), later)
})

test('a change long after the last held one is alerted again', () => {
  const flapping = { reportedAt: NOW - HOUR, changedAt: NOW - STEADY_MS }
  assert.deepEqual(afterFlapping(flapping, NOW, NOW, NOW), { state: 'calm' })
  assert.deepEqual(afterFlapping(null, NOW, NOW, NOW), { state: 'calm' })
})

test('the last change of a check is always sent within 15 minutes', () => {
  const gaps = fc.array(fc.integer({ min: 1, max: 40 * MINUTE }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(gaps, waits => {
      const changes: number[] = []
      let flapping: Parameters<typeof afterFlapping>[0] = null
      let now = NOW
      const sent: { change: number; at: number; as: string }[] = []
      for (const wait of waits) {
        // The change before waited, unless this one came first.
        settleHeld(now + wait)
        now += wait
        changes.unshift(now)
        look(now)
      }
      settleHeld(Number.POSITIVE_INFINITY)
      const last = sent.at(-1)!
      assert.equal(last.change, changes[0])
      assert.ok(last.at - last.change <= STEADY_MS)

      function look(at: number): void {
        const change = changes[0]!
        const after = afterFlapping(flapping, change, change, at)
        if (after.state === 'held') {
          flapping = { ...flapping!, changedAt: change }
        } else if (after.state === 'calm' && isFlapping(changes, at)) {
          flapping = { reportedAt: at, changedAt: change }
          sent.push({ change, at, as: 'flapping' })
        } else {
          if (after.state === 'steady') flapping = null
          sent.push({ change, at, as: 'alert' })
        }
      }

      function settleHeld(before: number): void {
        const change = changes[0]
        if (change === undefined || sent.at(-1)?.change === change) return
        const due = change + STEADY_MS
        if (due < before) look(due)
      }
    }),
  )
})
