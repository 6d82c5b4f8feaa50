import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredStatus } from '../../../src/core/checks/check.js'
import type { Flip } from '../../../src/core/checks/flip.js'
import { type Incident, incidentAfter, REOPEN_MS } from '../../../src/core/incidents/incident.js'

const AT = 1_000_000

const flip = (oldStatus: StoredStatus, newStatus: StoredStatus, createdAt: number): Flip => ({
  oldStatus,
  newStatus,
  createdAt,
  reason: newStatus === 'down' ? 'missed' : '',
})

const OPEN: Incident = {
  openedAt: AT - 5_000,
  sinceAt: AT - 9_000,
  cause: 'failed',
  downAt: AT - 5_000,
  flipId: 1,
  closedAt: null,
  closedBy: null,
}

const closed = (closedBy: Incident['closedBy'], closedAt: number): Incident => ({
  ...OPEN,
  closedBy,
  closedAt,
})

test('going down opens an incident, since the first failure that was counted', () => {
  const { step, incident } = incidentAfter(null, { ...flip('up', 'down', AT), since: AT - 60_000 }, 7)
  assert.equal(step, 'opened')
  const expected = { openedAt: AT, sinceAt: AT - 60_000, cause: 'missed', downAt: AT, flipId: 7 }
  assert.deepEqual(incident, { ...expected, closedAt: null, closedBy: null })
})

test('going down soon after a recovery reopens the incident, at the boundary too', () => {
  for (const [since, step] of [
    [REOPEN_MS, 'reopened'],
    [REOPEN_MS + 1, 'opened'],
    [-1_000, 'reopened'],
  ] as const) {
    const after = incidentAfter(closed('recovery', AT - since), flip('up', 'down', AT), 2)
    assert.equal(after.step, step)
    assert.equal(after.incident!.openedAt, step === 'reopened' ? OPEN.openedAt : AT)
    assert.deepEqual([after.incident!.downAt, after.incident!.flipId], [AT, 2])
    assert.equal(after.incident!.closedAt, null)
  }
})

test('an incident that closed otherwise than by recovery is not reopened', () => {
  for (const by of ['paused', 'deleted', 'person'] as const)
    assert.equal(incidentAfter(closed(by, AT - 1), flip('new', 'down', AT), 2).step, 'opened')
})

test('leaving down closes it by recovery, or by the pause', () => {
  for (const [status, by] of [
    ['up', 'recovery'],
    ['paused', 'paused'],
  ] as const) {
    const { step, incident } = incidentAfter(OPEN, flip('down', status, AT), 2)
    assert.equal(step, 'closed')
    assert.deepEqual(incident, { ...OPEN, closedAt: AT, closedBy: by })
  }
})

test('flips that do not concern down, and ends without a beginning, change nothing', () => {
  const latest = closed('recovery', AT - 1)
  assert.deepEqual(incidentAfter(latest, flip('new', 'up', AT), 2), { step: 'none', incident: latest })
  assert.deepEqual(incidentAfter(latest, flip('down', 'up', AT), 2), { step: 'none', incident: latest })
  assert.deepEqual(incidentAfter(null, flip('down', 'up', AT), 2), { step: 'none', incident: null })
})
