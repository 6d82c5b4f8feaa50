/** A clock that was ahead for a day and is set back: nothing waits until it is there again. Decision 0008. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckChanges } from '../../../src/core/checks/check-changes.js'
import { NOT_SET_BACK, SET_BACK } from '../../../src/storage/instance/instants.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { engine, openFreshStore } from '../../_support/worlds/store.js'

const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 86_400_000
const NOW = Date.UTC(2026, 0, 15, 12)

const COLUMNS = {
  sqlite: `SELECT m.name AS tab, p.name AS col FROM sqlite_master m JOIN pragma_table_info(m.name) p
    WHERE m.type = 'table' AND p.type LIKE '%INT%'`,
  postgres: `SELECT table_name AS tab, column_name AS col FROM information_schema.columns
    WHERE table_schema = current_schema() AND data_type = 'bigint'`,
}

/** How columns are named that hold an instant. */
const INSTANT = /(_at|_from|_until|_since|_after|_announced)$|^(last_(ping|start|notify|sent)|status_since)$/

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

const own: CheckChanges = { periodSeconds: 60, graceSeconds: 60 }
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
