import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zoneDifference } from '../../../src/core/time/zone-difference.js'

const JANUARY = Date.UTC(2026, 0, 5)
const LATE_MARCH = Date.UTC(2026, 2, 20)

test('a clock is ahead of another, behind it, or the same', () => {
  assert.equal(zoneDifference('Europe/Riga', 'Europe/Berlin', JANUARY), '1 h ahead')
  assert.equal(zoneDifference('America/St_Johns', 'UTC', JANUARY), '3 h 30 min behind')
  assert.equal(zoneDifference('Europe/Vienna', 'Europe/Berlin', JANUARY), null)
})

test('the difference is that of the instant: America changes its clocks weeks before Europe', () => {
  assert.equal(zoneDifference('Europe/Berlin', 'America/New_York', JANUARY), '6 h ahead')
  assert.equal(zoneDifference('Europe/Berlin', 'America/New_York', LATE_MARCH), '5 h ahead')
})
