/** The tables of the reference: what it accepts, what it refuses, and sequences across clock changes. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { nextAfter, parseSchedule, ScheduleError } from '../../../src/core/schedule/index.js'
import { packageRoot } from '../../../src/lib/package-root.js'

const START_OF_2000 = Date.UTC(2000, 0, 1)

test('schedules that the reference accepts have the same kind and first occurrence', context => {
  const rows = readRows<{ expr: string; kind: string; first: string }>('accepted')
  for (const { expr, kind, first } of rows) {
    const schedule = parseSchedule(expr)
    assert.equal(schedule.kind, kind, expr)
    assert.equal(nextAfter(schedule, 'UTC', START_OF_2000), Date.parse(first), expr)
  }
  context.diagnostic(`${rows.length} accepted expressions ran`)
})

test('schedules that the reference refuses are refused', context => {
  const rows = readRows<{ expr: string }>('rejected')
  for (const { expr } of rows) assert.throws(() => parseSchedule(expr), ScheduleError, expr)
  context.diagnostic(`${rows.length} rejected expressions ran`)
})

test('occurrences across clock changes are as in the reference', context => {
  const rows = readRows<{ expr: string; kind: string; tz: string; start: string; next: string[] }>(
    'sequences',
  )
  for (const { expr, kind, tz, start, next } of rows) {
    const schedule = parseSchedule(expr)
    assert.equal(schedule.kind, kind)
    let instant = Date.parse(start)
    for (const wanted of next) {
      instant = nextAfter(schedule, tz, instant)!
      assert.equal(instant, Date.parse(wanted), `${expr} from ${start}`)
    }
  }
  context.diagnostic(`${rows.length} sequences ran`)
})

function readRows<Row>(name: string): Row[] {
  const lines = readFileSync(join(packageRoot, 'test/vectors', `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
  return lines.map(line => JSON.parse(line))
}
