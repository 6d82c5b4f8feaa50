/** What an alert says of limits that were broken and of runs that were missed. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { CheckChanges } from '../../../src/core/checks/check-changes.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { openFreshStore } from '../../_support/worlds/store.js'

const NOW = Date.UTC(2026, 0, 15, 12)
const MINUTE = 60_000

/** A check that was pinged at minute 0, and what it does at later minutes; gives the facts of its newest flip. */
async function subject(t: TestContext, changes: CheckChanges) {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const project = await store.projects.create({ name: '', ownerId: null, pingKey: null, now: NOW })
  const { check } = await store.checks.create(project.id, { changes, unique: null, now: NOW })
  const ping = async (
    minute: number,
    action: 'start' | 'success' | 'fail' = 'success',
    durationMs: number | null = null,
  ) => {
    const at = NOW + minute * MINUTE
    await store.pings.record([arrivedPing({ uuid: check.uuid }, at, { action, durationMs })])
  }
  await ping(0)
  return {
    ping,
    expectNothing: async (fromMinute: number, toMinute: number) => {
      const [from, to] = [NOW + fromMinute * MINUTE, NOW + toMinute * MINUTE]
      const times = { kind: 'once', from, to } as const
      await store.silences.create(project.id, {
        ...{ mode: 'expect_nothing', scope: { project: true }, channels: null, reason: '', times },
        createdBy: 'Alice',
        now: NOW,
      })
    },
    look: async (minute: number) => void (await store.alerts.declareDown(NOW + minute * MINUTE, 100, null)),
    facts: async () => {
      const [flip] = await raw('SELECT id, check_id FROM flips ORDER BY id DESC LIMIT 1')
      return (await store.alerts.facts(Number(flip!.check_id), Number(flip!.id)))!
    },
  }
}

test('a down alert has the limit of a run that took too long, and when it started', async t => {
  const { ping, look, facts } = await subject(t, { schedule: '0 * * * *', maxDurationSeconds: 600 })
  await ping(60, 'start')
  await look(75)
  assert.deepEqual((await facts()).limit, {
    limitMs: 10 * MINUTE,
    startedAt: NOW + 60 * MINUTE,
    tookMs: null,
  })
})

test('a down alert has how long a run took that was too short, as the client measured it', async t => {
  const { ping, facts } = await subject(t, { schedule: '0 * * * *', minDurationSeconds: 120 })
  await ping(60, 'start')
  await ping(61)
  const limit = { limitMs: 2 * MINUTE, startedAt: null, tookMs: MINUTE }
  assert.deepEqual((await facts()).limit, limit)
  await ping(62, 'success', 10 * MINUTE)
  await ping(63, 'success', 5_000)
  assert.deepEqual((await facts()).limit, { ...limit, tookMs: 5_000 })
})

test('a down alert has the time to start where the check has one', async t => {
  const { look, facts } = await subject(t, { schedule: '0 * * * *', startWithinSeconds: 300 })
  await look(70)
  assert.deepEqual((await facts()).limit, { limitMs: 5 * MINUTE, startedAt: null, tookMs: null })
})

test('an alert of a check without limits of its own has none', async t => {
  const { ping, look, facts } = await subject(t, { schedule: '0 * * * *', graceSeconds: 600 })
  await ping(60, 'start')
  await look(75)
  assert.equal((await facts()).limit, null)
})

const recoveries: [string, CheckChanges, minute: number, missed: number][] = [
  ['occurrences of its schedule', { schedule: '0 * * * *', graceSeconds: 600 }, 5 * 60 + 20, 5],
  ['one, within the grace of the next', { schedule: '0 * * * *', graceSeconds: 600 }, 2 * 60 + 5, 1],
  ['periods', { periodSeconds: 3600, graceSeconds: 600 }, 3 * 60 + 15, 3],
  [
    'those that were only counted too',
    { schedule: '0 * * * *', graceSeconds: 600, failuresToAlert: 3, tolerated: 'missed' },
    5 * 60 + 20,
    5,
  ],
]

for (const [name, changes, minute, missed] of recoveries) {
  test(`a recovery says how many runs were missed: ${name}`, async t => {
    const { ping, look, facts } = await subject(t, changes)
    await look(minute - 1)
    await ping(minute)
    assert.equal((await facts()).missedRuns, missed)
  })
}

for (const [name, changes] of [
  ['a schedule', { schedule: '0 * * * *', graceSeconds: 600 }],
  ['a period', { periodSeconds: 3600, graceSeconds: 600 }],
] as const) {
  test(`runs of ${name} of which nothing was expected do not count as missed`, async t => {
    const { ping, look, facts, expectNothing } = await subject(t, changes)
    await look(70)
    await expectNothing(110, 200)
    await expectNothing(200, 241)
    await expectNothing(290, 299)
    await look(380)
    await ping(381)
    assert.equal((await facts()).missedRuns, 3, 'after 1, 5 and 6 hours')
  })
}

test('what failed while the check was down is not counted as missed', async t => {
  const { ping, look, facts } = await subject(t, { schedule: '0 * * * *', graceSeconds: 600 })
  await look(75)
  for (let hour = 2; hour < 6; hour++) await ping(60 * hour + 1, 'fail')
  await ping(6 * 60 + 1)
  assert.equal((await facts()).missedRuns, 1)
})
