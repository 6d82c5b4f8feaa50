/** What the checks that a check depends on make of its down alerts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Dependant,
  type Down,
  holdsOfDependant,
  mayHold,
  type Parent,
  spansOfDependant,
} from '../../../src/core/incidents/dependency.js'
import { circleThrough, inherited, parentsOf } from '../../../src/core/incidents/dependency-graph.js'

const MINUTE = 60_000
const NOW = Date.UTC(2026, 0, 15, 12)
const DAILY: Dependant = {
  kind: 'simple',
  periodSeconds: 86_400,
  schedule: '* * * * *',
  tz: 'UTC',
  downAt: NOW - MINUTE,
  dependsWaitSeconds: 300,
}
const UP: Parent = {
  name: 'Router',
  status: 'up',
  isDown: false,
  isUnjudged: false,
  recoveredAt: null,
  lastSuccessAt: null,
}

/** Until when the holds last, in seconds from now. */
function held(check: Partial<Dependant>, found: { holders?: Parent[]; parents?: Parent[] }): number[] {
  const holds = holdsOfDependant({ ...DAILY, ...check }, { holders: [], parents: [], ...found }, NOW)
  return holds.map(({ until }) => (until - NOW) / 1000)
}

test('a check that is down holds those that depend on it, and is looked at again within 15 minutes', () => {
  const holders = [{ ...UP, status: 'down' as const, isDown: true }]
  assert.deepEqual(held({}, { holders }), [900])
  assert.equal(mayHold(holders[0]!, NOW), true)
})

test('one whose deadline has passed without being judged holds for a moment', () => {
  const unjudged = { ...UP, isUnjudged: true }
  assert.deepEqual(held({}, { holders: [unjudged] }), [1])
  assert.equal(mayHold({ ...unjudged, status: 'new' }, NOW), false)
  assert.deepEqual(held({}, { holders: [{ ...unjudged, status: 'paused' }] }), [])
})

test('after a recovery a dependant has until its next occurrence, at most 15 minutes', () => {
  const holders = [{ ...UP, recoveredAt: NOW - 2 * MINUTE }]
  assert.deepEqual(held({}, { holders }), [13 * 60])
  assert.deepEqual(held({ periodSeconds: 300 }, { holders }), [3 * 60])
  const quarterly = { kind: 'cron', schedule: '*/5 * * * *' } as const
  assert.deepEqual(held(quarterly, { holders: [{ ...UP, recoveredAt: NOW - 4 * MINUTE + 1 }] }), [])
  assert.deepEqual(held(quarterly, { holders: [{ ...UP, recoveredAt: NOW - 1 }] }), [])
  assert.deepEqual(held(quarterly, { holders: [{ ...UP, recoveredAt: NOW }] }), [300])
  assert.equal(mayHold({ ...UP, recoveredAt: NOW - 15 * MINUTE }, NOW), false)
})

test('one that goes down first waits for a check that is up, until its wait is over', () => {
  const before = { ...UP, lastSuccessAt: DAILY.downAt - 1 }
  assert.deepEqual(held({}, { parents: [before] }), [240])
  assert.deepEqual(held({ dependsWaitSeconds: 60 }, { parents: [before] }), [])
  assert.deepEqual(held({ dependsWaitSeconds: 0 }, { parents: [before] }), [])
})

test('a success of one of several that it depends on ends the wait', () => {
  const before = { ...UP, lastSuccessAt: DAILY.downAt - 1 }
  const since = { ...UP, lastSuccessAt: DAILY.downAt }
  assert.deepEqual(held({}, { parents: [before, since] }), [])
})

test('what is new or paused is not waited for', () => {
  assert.deepEqual(held({}, { parents: [{ ...UP, status: 'new' }] }), [])
  assert.deepEqual(held({}, { parents: [{ ...UP, status: 'paused', lastSuccessAt: NOW }] }), [])
})

test('holds are inherited from every check above, each at most once, and only so many', () => {
  const edges = [
    [1, 2],
    [1, 3],
    [2, 4],
    [3, 4],
    [4, 5],
  ].map(([checkId, parentId]) => ({ checkId: checkId!, parentId: parentId! }))
  const parents = parentsOf(edges)
  const all = inherited(parents, [5, 4, 3], 10)
  assert.deepEqual(
    [1, 2, 3, 4, 5].map(id => all.get(id) ?? []),
    [[5, 4, 3], [5, 4], [5, 4], [5], []],
  )
  assert.deepEqual(inherited(parents, [5, 4, 3], 2).get(1), [5, 4])
})

test('a circle is found with the way through it', () => {
  const parents = parentsOf([
    { checkId: 2, parentId: 3 },
    { checkId: 3, parentId: 1 },
    { checkId: 4, parentId: 3 },
  ])
  assert.deepEqual(circleThrough(1, [4, 2], parents), [1, 4, 3, 1])
  assert.deepEqual(circleThrough(1, [1], parents), [1, 1])
  assert.equal(circleThrough(4, [2, 5], parents), null)
})

test('a check that recovered and was paused since holds nothing', () => {
  const paused = { ...UP, status: 'paused' as const, recoveredAt: NOW - 2 * MINUTE }
  assert.equal(mayHold(paused, NOW), false)
  assert.deepEqual(held({}, { holders: [paused] }), [])
})

/** When a check was down, in order, and how each of these times ended. */
const anyDowns: fc.Arbitrary<Down[]> = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 }), fc.boolean()), {
    maxLength: 4,
  })
  .map(parts => {
    let at = NOW - 60 * MINUTE
    return parts.map(([gap, length, holdsOn]) => {
      const from = at + gap * MINUTE
      at = from + length * MINUTE
      return { from, to: at, holdsOn }
    })
  })

test('the clock of policies stands still at exactly the times at which a dependency holds', () => {
  const history = fc.property(
    fc.array(anyDowns, { maxLength: 3 }),
    fc.constantFrom(60, 300, 420, 86_400),
    fc.constantFrom(0, 300, 3_600),
    fc.option(fc.integer({ min: 0, max: 70 })),
    fc.integer({ min: 0, max: 200 }),
    (downs, periodSeconds, dependsWaitSeconds, successAfter, minute) => {
      const check = { ...DAILY, periodSeconds, dependsWaitSeconds, downAt: NOW }
      const firstSuccessAt = successAfter === null ? null : NOW + successAfter * MINUTE
      const at = NOW + minute * MINUTE + 1
      const holders = downs.map(one => parentAt(one, at)).filter(parent => mayHold(parent, at))
      const lastSuccessAt = firstSuccessAt !== null && firstSuccessAt <= at ? firstSuccessAt : null
      const isHeld = holdsOfDependant(check, { holders, parents: [{ ...UP, lastSuccessAt }] }, at).length > 0
      const spans = spansOfDependant(check, { downs, wait: { firstSuccessAt } }, at + 300 * MINUTE)
      assert.equal(
        spans.some(({ from, to }) => from <= at && at < to),
        isHeld,
      )
    },
  )
  fc.assert(history, { numRuns: 2_000 })
})

/** A check with these downs, at an instant. */
function parentAt(downs: readonly Down[], at: number): Parent {
  const last = downs.findLast(({ from }) => from <= at)
  if (!last) return UP
  const isDown = last.to === null || at < last.to
  return {
    ...UP,
    status: isDown ? 'down' : 'up',
    isDown,
    recoveredAt: isDown || !last.holdsOn ? null : last.to,
  }
}
