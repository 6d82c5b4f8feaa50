import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Missed } from '../../../src/core/instance/outage.js'
import { inFewParts } from '../../../src/storage/instance/few-parts.js'
import { isInPart, partOfCheck, partOfProject } from '../../../src/storage/instance/parts.js'
import { numRuns } from '../../_support/histories/num-runs.js'

const T = 1_800_000_000_000

function missedOf(projectId: number, count: number, from = T): Missed[] {
  return Array.from({ length: count }, (_, n) => {
    const part = partOfCheck(projectId * 10_000 + n)
    return { from: from + n, to: from + n + 1_000, part, projectId }
  })
}

test('what few checks missed is kept apart', () => {
  const missed = [...missedOf(1, 60), ...missedOf(2, 40)]
  assert.deepEqual(inFewParts(missed), missed)
})

test('what many checks missed becomes one part for each of the projects with the most', () => {
  const missed = [...missedOf(1, 60), ...missedOf(2, 100), ...missedOf(3, 3), { from: T, to: T + 1 }]
  assert.deepEqual(inFewParts(missed), [
    { from: T, to: T + 1 },
    { from: T, to: T + 1_099, partial: true, part: partOfProject(2), projectId: 2 },
    ...missedOf(1, 60),
    ...missedOf(3, 3),
  ])
})

test('what very many projects missed becomes one of all checks, beside what a server missed', () => {
  const projects = Array.from({ length: 1_001 }, (_, n) => missedOf(n + 1, 1, T + n)).flat()
  const server = { from: T, to: T + 1, part: '-2147483648:-1' }
  const [first, ...others] = inFewParts([...projects, server])
  assert.deepEqual([first, others], [server, [{ from: T, to: T + 2_000, partial: true }]])
})

const anyTroubles = fc.array(
  fc.record({
    projectId: fc.integer({ min: 1, max: 40 }),
    checks: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 150 })),
    from: fc.integer({ min: 0, max: 5_000 }),
    partial: fc.boolean(),
  }),
  { minLength: 1, maxLength: 60, size: 'max' },
)

test('whatever checks miss, they wait as long, others wait for their own project, and parts are few', () => {
  const property = fc.property(anyTroubles, troubles => {
    const missed = troubles.flatMap(({ projectId, checks, from, partial }) =>
      missedOf(projectId, checks, T + from).map(one => ({ ...one, ...(partial && { partial }) })),
    )
    const fewer = inFewParts(inFewParts(missed))
    for (const { from, to, part, projectId } of missed) {
      const id = Number(part!.slice(1))
      const covers = fewer.some(
        one => isInPart(one.part!, { id, projectId: projectId! }) && one.from <= from && one.to >= to,
      )
      assert.ok(covers, `${part} of project ${projectId} waits`)
    }
    const inTrouble = new Set(troubles.map(({ projectId }) => projectId))
    for (let projectId = 1; projectId <= 41; projectId++) {
      if (inTrouble.has(projectId)) continue
      assert.ok(fewer.every(({ part }) => !isInPart(part!, { id: projectId * 10_000, projectId })))
    }
    assert.ok(new Set(fewer.map(({ part }) => part)).size <= 100)
  })
  fc.assert(property, { numRuns: numRuns(100, 3_000) })
})
