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
