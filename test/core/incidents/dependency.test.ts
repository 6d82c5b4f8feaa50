/** What the checks that a check depends on make of its down alerts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Dependant,
  holdsOfDependant,
  mayHold,
  type Parent,
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
