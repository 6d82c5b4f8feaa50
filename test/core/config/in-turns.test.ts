/** Large files hold nobody up: each object is a turn, in which nothing is done about the others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyPlan } from '../../../src/core/config/apply-plan.js'
import { exportDocument } from '../../../src/core/config/export-document.js'
import { plan } from '../../../src/core/config/plan.js'
import { bySection } from '../../../src/core/config/project-config.js'
import { readDocument } from '../../../src/core/config/read-document.js'
import { channels } from '../../_support/config/random-document.js'

const COUNT = 500
const OPTIONS = { owner: 'punctual.yaml', prune: true, maxDeletes: COUNT, channels }

function counted<T>(steps: Iterator<unknown, T>): { turns: number; result: T } {
  for (let turns = 0; ; turns++) {
    const step = steps.next()
    if (step.done) return { turns, result: step.value }
  }
}

test('moves in a file have a turn each', () => {
  const keys = Array.from({ length: COUNT }, (_, n) => `job-${n}`)
  const moved = Object.fromEntries(keys.map(key => [`old-${key}`, key]))
  const checks = Object.fromEntries(keys.map(key => [key, {}]))
  const { turns, result } = counted(readDocument({ checks, moved }, channels))
  assert.deepEqual([result.problems, result.moved.length], [[], COUNT])
  assert.ok(turns >= 2 * COUNT)
})

test('of very many problems the first are told, and the file is not read to its end', () => {
  const wrong = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`job-${n}`, { grace: 'soon' }]))
  const { turns, result } = counted(readDocument({ checks: wrong }, channels))
  assert.equal(result.problems.length, 1_001)
  assert.deepEqual(result.problems.at(-1), {
    at: ['checks'],
    problem: 'There are more problems, which are told when the first 1000 are mended.',
  })
  assert.ok(turns < 2_000, `${turns} turns`)
  const checks = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`job-${n}`, {}]))
  const read = counted(readDocument({ checks }, channels)).result
  const current = bySection(section =>
    section === 'checks'
      ? new Map([...read.objects.checks].map(([key, values]) => [key, { owner: 'other', values }]))
      : new Map(),
  )
  const planned = counted(plan(current, read, OPTIONS)).result
  assert.deepEqual([planned.steps, planned.problems.length], [[], 1_001])
})

test('reading, planning, applying and exporting a file have a turn for each check', () => {
  const keys = Array.from({ length: COUNT }, (_, n) => `job-${n}`)
  const document = {
    checks: Object.fromEntries(
      keys.map((key, n) => [key, { depends_on: keys.slice(Math.max(0, n - 1), n) }]),
    ),
  }
  const read = counted(readDocument(document, channels))
  const empty = bySection(() => new Map())
  const planned = counted(plan(empty, read.result, OPTIONS))
  const applied = counted(applyPlan(empty, planned.result, OPTIONS))
  const exported = counted(exportDocument(applied.result, { project: 'Home', channels }))
  assert.deepEqual(exported.result.document.checks, { ...document.checks, 'job-0': {} })
  assert.ok(read.turns >= COUNT && applied.turns >= COUNT && exported.turns >= COUNT)
  // Steps, the names in them, the project after them, their rules, and circles.
  assert.ok(planned.turns >= 5 * COUNT)
})
