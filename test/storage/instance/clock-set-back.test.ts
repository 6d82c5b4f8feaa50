/** A clock that was ahead for a day and is set back: nothing waits until it is there again. Decision 0008. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckChanges } from '../../../src/core/checks/check-changes.js'
import type { BeatFacts } from '../../../src/storage/instance/beat.js'
import { NOT_SET_BACK, SET_BACK } from '../../../src/storage/instance/instants.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { engine, openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 86_400_000
const NOW = Date.UTC(2026, 0, 15, 12)

const own: CheckChanges = { periodSeconds: 60, graceSeconds: 60 }

const COLUMNS = {
  sqlite: `SELECT m.name AS tab, p.name AS col FROM sqlite_master m JOIN pragma_table_info(m.name) p
    WHERE m.type = 'table' AND p.type LIKE '%INT%'`,
  postgres: `SELECT table_name AS tab, column_name AS col FROM information_schema.columns
    WHERE table_schema = current_schema() AND data_type IN ('bigint', 'integer')`,
}

/** How columns are named that hold an instant. */
const INSTANT =
  /(_at|_from|_until|_since|_after|_before|_announced|_step)$|^(last_(ping|start|notify|sent)|status_since)$/

test('every column with an instant is set back with the clock, or has a reason not to be', async t => {
  const { raw, remove } = await openFreshStore()
  t.after(remove)
  const rows = (await raw(COLUMNS[engine])) as { tab: string; col: string }[]
  const instants = rows.filter(({ col }) => INSTANT.test(col)).map(({ tab, col }) => `${tab}.${col}`)
  const setBack = Object.entries(SET_BACK).flatMap(([table, columns]) =>
    columns.map(column => `${table}.${column}`),
  )
  const known = [...setBack, ...Object.keys(NOT_SET_BACK)]
  assert.deepEqual(instants.sort(), known.sort())
})

test('instants that a channel and a check wait for are set back with the clock', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: NOW })
  const wanted = { projectId: project.id, name: 'A', kind: 'webhook', settings: {}, members: [], now: NOW }
  const { id } = await store.channels.create(wanted)
  const ahead = NOW + DAY
  await store.instance.beat('me', ahead)
  await raw(
    `UPDATE channels SET unreachable_at = ${ahead}, probe_at = ${ahead + 1_800_000}, other_announced = ${ahead + 3_600_000}`,
  )
  await raw(
    `INSERT INTO flapping (check_id, channel_id, reported_at, changed_at) VALUES (1, ${id}, ${ahead}, ${ahead})`,
  )
  await store.instance.beat('me', NOW)
  const [channel] = await raw('SELECT unreachable_at, probe_at, other_announced, created_at FROM channels')
  assert.deepEqual(
    Object.values(channel!).map(value => value && Number(value)),
    [NOW, NOW + 1_800_000, null, NOW],
  )
  const [flapping] = await raw('SELECT reported_at, changed_at FROM flapping')
  assert.deepEqual(Object.values(flapping!).map(Number), [NOW, NOW])
})

test('a silence that was ended while the clock was ahead is over after it was set back', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const project = await store.projects.create({ name: '', ownerId: null, pingKey: null, now: NOW })
  const times = { kind: 'once', from: NOW, to: NOW + 2 * DAY } as const
  const silence = { mode: 'hold', scope: { project: true }, channels: null, reason: '', times } as const
  const { id } = await store.silences.create(project.id, { ...silence, createdBy: 'Alice', now: NOW })
  await store.silences.end(project.id, id, NOW + DAY)
  await store.instance.beat('me', NOW + DAY)
  await store.instance.beat('me', NOW)
  const [ended] = await raw('SELECT ended_at, over_at FROM silences')
  assert.deepEqual(Object.values(ended!).map(Number), [NOW, NOW])
})

test('a limit that was used up while the clock was ahead fills again after it was set back', async t => {
  const { store, remove } = await openFreshStore()
  t.after(remove)
  const take = (now: number) => store.people.takeFromLimits([{ key: 'a', capacity: 1, periodMs: HOUR }], now)
  assert.equal(await take(NOW + DAY), 0)
  await store.instance.beat('me', NOW + DAY)
  await store.instance.beat('me', NOW)
  assert.equal(await take(NOW), HOUR - 1)
  assert.equal(await take(NOW + HOUR), 0)
})

test('an alert of a failure is due at once after a clock was set back by less than a minute', async t => {
  const scene = await StoreHarness.open(t)
  await scene.ping('backup')
  await scene.addChannel('A')
  scene.now -= 30_000
  await scene.ping('backup', 'fail')
  const { channels } = await scene.store.alerts.dueChannels({ now: scene.now, cursor: 0 })
  assert.equal(channels.length, 1)
})

const silent: [string, CheckChanges][] = [
  ['a start in time', { ...own, startWithinSeconds: 1 }],
  ['a limit of its runs', { ...own, startWithinSeconds: 5, maxDurationSeconds: 30 }],
  ['each run', { ...own, startWithinSeconds: 1, trackRuns: 'each' }],
  ['missed pings that are only counted', { ...own, failuresToAlert: 2, tolerated: 'missed' }],
  ['a start in time by a schedule', { schedule: '* * * * *', startWithinSeconds: 1 }],
]
for (const [name, changes] of silent) {
  for (const byMs of [HOUR, DAY]) {
    test(`a check down in a clock ahead by ${byMs / HOUR} h misses pings again: ${name}`, async t => {
      const { store, remove } = await openFreshStore()
      t.after(remove)
      const project = await store.projects.create({ name: '', ownerId: null, pingKey: null, now: NOW })
      const { check } = await store.checks.create(project.id, { changes, unique: null, now: NOW })
      const at = async (now: number) => {
        await store.instance.beat('me', now)
        return (await store.alerts.declareDown(now, 10)).declared
      }
      const ping = (now: number) => store.pings.record([arrivedPing({ uuid: check.uuid }, now)])
      await ping(NOW + byMs)
      assert.equal(await at(NOW + byMs + 5 * MINUTE), 1)
      const back = NOW + 5 * MINUTE + 1_000
      assert.equal(await at(back), 0)
      await ping(back)
      assert.equal(await at(back + 3 * MINUTE), 1)
    })
  }
}

const steady: [string, CheckChanges][] = [
  [
    'missed pings that are only counted',
    { ...own, startWithinSeconds: 1, failuresToAlert: 2, tolerated: 'missed' },
  ],
  ['each run by a schedule', { schedule: '* * * * *', graceSeconds: 60, trackRuns: 'each' }],
]
for (const [name, changes] of steady) {
  for (const byMs of [MINUTE + 10_000, HOUR, 70 * MINUTE, DAY, 31 * DAY]) {
    test(`a clock ahead by ${byMs / MINUTE} min for seconds counts no miss again: ${name}`, async t => {
      const { store, raw, remove } = await openFreshStore()
      t.after(remove)
      const project = await store.projects.create({ name: '', ownerId: null, pingKey: null, now: NOW })
      const { check } = await store.checks.create(project.id, { changes, unique: null, now: NOW })
      const seconds = async (from: number, to: number, facts: BeatFacts = {}) => {
        let declared = 0
        for (let at = from; at <= to; at += 1_000) {
          await store.instance.beat('me', at, at === from ? facts : {})
          declared += (await store.alerts.declareDown(at, 10)).declared
        }
        return declared
      }
      const ping = (now: number) => store.pings.record([arrivedPing({ uuid: check.uuid }, now)])
      await ping(NOW + 50)
      // The first miss is counted, where misses are.
      const isCounted = changes.failuresToAlert === 2
      assert.equal(await seconds(NOW, NOW + 65_000), 0)
      if (!isCounted) await ping(NOW + 65_000)
      let now = NOW + 66_000
      for (let time = 0; time < 2; time++) {
        // As after a time in which the process could do nothing.
        const missed = [{ from: now - 1_000, to: now + byMs }]
        assert.equal(await seconds(now + byMs, now + byMs + 5_000, { missed }), 0)
        now += 6_000
        assert.equal(await seconds(now, now + 3_000, { setBacks: [byMs + 2] }), 0)
        now += 4_000
      }
      // Nothing comes any more: the next miss is told when it should be.
      const toldAt = NOW + (isCounted ? 2 * MINUTE + 2_000 : 3 * MINUTE)
      assert.equal(await seconds(now, toldAt - 1_000), 0)
      const passed = await raw('SELECT since_at FROM passed_deadlines')
      assert.deepEqual(
        passed.map(({ since_at }) => Number(since_at)),
        isCounted ? [NOW + 50 + MINUTE] : [],
      )
      assert.equal(await seconds(toldAt, toldAt), 1)
    })
  }
}

/** What a check expects once an hour, and how it is met at one o'clock: in time, early, or not at all. */
const judged: [string, CheckChanges, 'silent' | 'early'][] = [
  [
    'misses by a schedule',
    { schedule: '0 * * * *', startWithinSeconds: 60, failuresToAlert: 3, tolerated: 'missed' },
    'silent',
  ],
  [
    'misses by a period',
    { periodSeconds: 3_600, startWithinSeconds: 60, failuresToAlert: 3, tolerated: 'missed' },
    'silent',
  ],
  ['an early ping', { schedule: '0 * * * *', graceSeconds: 60, earlySeconds: 60 }, 'early'],
]
for (const [name, changes, how] of judged) {
  for (const [byMs, measuredMs] of [
    [HOUR, HOUR + 2],
    [HOUR, HOUR - 2],
    [DAY, DAY + 2],
  ] as const) {
    test(`what a clock ahead for long has judged is not judged again: ${name}, ${measuredMs} ms`, async t => {
      const { store, raw, remove } = await openFreshStore({ outageHoldMs: MINUTE })
      t.after(remove)
      const project = await store.projects.create({ name: '', ownerId: null, pingKey: null, now: NOW })
      const { check } = await store.checks.create(project.id, { changes, unique: null, now: NOW })
      let ahead = 0
      /** Up to an instant of the true clock; returns how often the check went down. */
      const watch = async (from: number, to: number, facts: BeatFacts = {}) => {
        let declared = 0
        for (let at = from; at <= to; at += 5_000) {
          await store.instance.beat('me', at + ahead, at === from ? facts : {})
          declared += (await store.alerts.declareDown(at + ahead, 10)).declared
        }
        return declared
      }
      const ping = (at: number) => store.pings.record([arrivedPing({ uuid: check.uuid }, at + ahead)])
      const missed = async () => (await raw('SELECT since_at FROM passed_deadlines')).length
      await ping(NOW + 50)
      const [stepped, back] = [NOW + 30 * MINUTE, NOW + HOUR + 5 * MINUTE]
      ahead = byMs
      await watch(stepped, NOW + HOUR - 25_000, { missed: [{ from: stepped - 1_000, to: stepped + byMs }] })
      if (how === 'early') await ping(NOW + HOUR - 20_000)
      assert.equal(await watch(NOW + HOUR - 15_000, back - 5_000), 0)
      const before = await missed()
      ahead = 0
      const toldAt = NOW + 2 * HOUR + MINUTE + 5_000
      assert.equal(await watch(back, toldAt - 10_000, { setBacks: [measuredMs] }), 0)
      assert.equal(await missed(), before)
      assert.equal(await watch(toldAt - 5_000, toldAt), 1)
    })
  }
}

test('a month that a clock has shown too early begins with a quota of its own', async t => {
  const scene = await StoreHarness.open(t)
  const { store, projectId } = scene
  const february = Date.UTC(2026, 1, 1)
  const use = (now: number) =>
    store.people.takeQuota(projectId, { name: 'messages', called: '', limit: 1 }, now)
  await store.instance.beat('me', february)
  assert.equal(await use(february), true)
  await store.instance.beat('me', NOW)
  assert.equal(await use(february), true)
})
