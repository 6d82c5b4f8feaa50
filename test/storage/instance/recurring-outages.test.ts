/** Outages that recur within each other's hold, though pings are taken in between. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckChanges } from '../../../src/core/checks/check-changes.js'
import type { Missed } from '../../../src/core/instance/outage.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { openFreshStore } from '../../_support/worlds/store.js'

const S = 1_000
const M = 60 * S
const LIMIT = M
const T = Date.UTC(2026, 0, 15, 12)
/** Pings are not taken for the last four of so many seconds. */
const CYCLE = 18 * S
const LOST = 4 * S

const own: CheckChanges = { periodSeconds: 60, graceSeconds: 60 }

const silent: [string, CheckChanges, number][] = [
  ['of a plain check', own, 2 * M],
  ['of a start', { ...own, startWithinSeconds: 1 }, 61 * S],
  ['of a start within the period', { ...own, startWithinSeconds: 60 }, 2 * M],
  ['with a limit of runs', { ...own, maxDurationSeconds: 30 }, 2 * M],
  ['with tolerated failures', { ...own, failuresToAlert: 2, tolerated: 'failed' }, 2 * M],
  ['of a start by a schedule', { schedule: '* * * * *', startWithinSeconds: 1 }, 61 * S],
  [
    'of the second start, the first being tolerated',
    { ...own, startWithinSeconds: 1, failuresToAlert: 2, tolerated: 'missed' },
    121 * S,
  ],
]
for (const partial of [false, true]) {
  for (const [name, changes, deadlineAfter] of silent) {
    test(`${partial ? 'partial ' : ''}outages without end hold no deadline for ever: ${name}`, async t => {
      const { store, remove } = await openFreshStore({ outageHoldMs: LIMIT })
      t.after(remove)
      const project = await store.projects.create({ name: '', ownerId: null, pingKey: null, now: T })
      const { check } = await store.checks.create(project.id, { changes, unique: null, now: T })
      await store.pings.record([arrivedPing({ uuid: check.uuid }, T)])
      const deadline = T + deadlineAfter
      let alertedAt: number | null = null
      let takenMs = 0
      for (let at = T; alertedAt === null && at < T + 20 * M; at += S) {
        const intoMs = (at - T) % CYCLE
        const isLost = intoMs > CYCLE - LOST
        if (isLost) continue
        const missed: Missed[] = intoMs === 0 && at > T ? [{ from: at - LOST, to: at, partial }] : []
        await store.instance.beat('me', at, { missed })
        if ((await store.alerts.declareDown(at, 10)).declared > 0) alertedAt = at
        if (at > deadline) takenMs += S
      }
      assert.ok(alertedAt, 'the alert came')
      assert.ok(takenMs <= 2 * LIMIT, `it came after ${takenMs} ms in which pings were taken`)
    })
  }
}

/** Silence whose occurrences come as often as outages or more often, while there is time for each start. */
const slow: [string, CheckChanges][] = [
  ['of a plain check', { ...own, graceSeconds: 120 }],
  ['of a start within twice the period', { ...own, startWithinSeconds: 120 }],
  ['of each run by a schedule', { schedule: '* * * * *', graceSeconds: 300, trackRuns: 'each' }],
  ['of the second start', { ...own, startWithinSeconds: 90, failuresToAlert: 2, tolerated: 'missed' }],
]
for (const [name, changes] of slow) {
  test(`outages that begin whenever a hold has ended hold no deadline for ever: ${name}`, async t => {
    const { store, remove } = await openFreshStore({ outageHoldMs: LIMIT })
    t.after(remove)
    const project = await store.projects.create({ name: '', ownerId: null, pingKey: null, now: T })
    const { check } = await store.checks.create(project.id, { changes, unique: null, now: T })
    await store.pings.record([arrivedPing({ uuid: check.uuid }, T)])
    let alertedAt: number | null = null
    for (let at = T; alertedAt === null && at < T + 30 * M; at += S) {
      const intoMs = (at - T) % (62 * S)
      if (intoMs > 0 && intoMs < 30 * S) continue
      const missed: Missed[] = intoMs === 30 * S ? [{ from: at - 30 * S, to: at }] : []
      await store.instance.beat('me', at, { missed })
      if ((await store.alerts.declareDown(at, 10)).declared > 0) alertedAt = at
    }
    assert.ok(alertedAt, 'the alert came')
  })
}
