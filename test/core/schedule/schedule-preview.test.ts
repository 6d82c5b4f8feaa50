import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Timing } from '../../../src/core/checks/check.js'
import { DEFAULT_SETTINGS } from '../../../src/core/checks/check-fields.js'
import { previewSchedule } from '../../../src/core/schedule/schedule-preview.js'

const at = (text: string) => Date.parse(`${text}Z`)
const cron: Timing = {
  ...DEFAULT_SETTINGS,
  kind: 'cron',
  periodSeconds: 0,
  graceSeconds: 1800,
  schedule: '30 3 * * *',
  tz: 'Europe/Riga',
}

test('a preview shows the next run and when a missed one would be alerted', () => {
  const { words, runs, expectedAt, alertAt } = previewSchedule(cron, at('2026-01-05T12:00'), 3)
  assert.equal(words, 'Daily at 03:30')
  assert.equal(runs.length, 3)
  assert.equal(expectedAt, at('2026-01-06T01:30'))
  assert.equal(alertAt, at('2026-01-06T02:00'))
})

test('a period is previewed from now', () => {
  const simple: Timing = { ...cron, kind: 'simple', periodSeconds: 3600 }
  const { words, runs, alertAt } = previewSchedule(simple, at('2026-01-05T12:00'), 2)
  assert.equal(words, null)
  assert.deepEqual(
    runs.map(run => run.instant),
    [at('2026-01-05T13:00'), at('2026-01-05T14:00')],
  )
  assert.equal(alertAt, at('2026-01-05T13:30'))
})

test('a time to start replaces the grace time', () => {
  const { alertAt } = previewSchedule({ ...cron, startWithinSeconds: 60 }, at('2026-01-05T12:00'))
  assert.equal(alertAt, at('2026-01-06T01:31'))
})

test('a run affected by a clock change is marked', () => {
  const { runs } = previewSchedule(cron, at('2026-03-28T12:00'), 1)
  assert.notEqual(runs[0]!.mark, null)
})

test('a schedule that has ended expects nothing', () => {
  const ended: Timing = { ...cron, kind: 'oncalendar', schedule: '2020-01-01' }
  const { runs, expectedAt, alertAt } = previewSchedule(ended, at('2026-01-05T12:00'))
  assert.deepEqual([runs, expectedAt, alertAt], [[], null, null])
})

test('a run that is not required is shown, and the next one is expected', () => {
  const first = at('2026-01-06T01:30')
  const { runs, expectedAt } = previewSchedule(cron, at('2026-01-05T12:00'), 3, instant => instant > first)
  assert.equal(runs[0]!.instant, first)
  assert.equal(expectedAt, runs[1]!.instant)
})
