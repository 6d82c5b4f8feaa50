import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Status } from '../../../src/core/checks/check.js'
import { nextExpected } from '../../../src/core/checks/next-expected.js'

const now = Date.UTC(2026, 0, 15, 12)
const dueAt = Date.UTC(2026, 0, 15, 3)
const cron = { kind: 'cron' as const, schedule: '0 5 * * *', tz: 'Europe/Berlin', dueAt }
const simple = { ...cron, kind: 'simple' as const }
const tomorrow = Date.UTC(2026, 0, 16, 4)

const table: [string, typeof cron | typeof simple, Status, number | null][] = [
  ['a check that is up or late is expected when its ping is due', cron, 'grace', dueAt],
  ['a cron check that is down is expected at its next run', cron, 'down', tomorrow],
  ['a check with a period that is down is expected after its next ping', simple, 'down', null],
  ['a paused check is not expected', cron, 'paused', null],
]

for (const [name, check, status, expected] of table) {
  test(name, () => assert.equal(nextExpected(check, status, now), expected))
}
