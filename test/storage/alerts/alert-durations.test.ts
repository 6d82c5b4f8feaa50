import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { openFreshStore } from '../../_support/worlds/store.js'

const NOW = Date.UTC(2026, 0, 15, 12)
const HOUR = 3_600_000

const runs: [string, lengthMs: number, durationMs: number | null][] = [
  ['its length', 5 * HOUR, 5 * HOUR],
  ['its length just under 72 hours', 72 * HOUR - 1, 72 * HOUR - 1],
  ['nothing from 72 hours on, as the API does', 72 * HOUR, null],
]

for (const [name, lengthMs, durationMs] of runs) {
  test(`an alert about a failed run says ${name}`, async t => {
    const { store, raw, remove } = await openFreshStore()
    t.after(remove)
    const project = await store.projects.create({ name: '', ownerId: null, pingKey: null, now: NOW })
    const { check } = await store.checks.create(project.id, { changes: {}, unique: null, now: NOW })
    const ping = async (at: number, action: 'start' | 'fail') => {
      await store.pings.record([arrivedPing({ uuid: check.uuid }, at, { action, rid: 'run' })])
    }
    await ping(NOW, 'start')
    await ping(NOW + lengthMs, 'fail')
    const [flip] = await raw('SELECT id, check_id FROM flips ORDER BY id DESC LIMIT 1')
    const facts = await store.alerts.facts(Number(flip!.check_id), Number(flip!.id))
    assert.equal(facts!.lastPing!.durationMs, durationMs)
    const { ping: shown } = await store.pings.details(project.id, check.uuid, 2)
    assert.equal(shown.durationMs, durationMs, 'the page of the ping agrees')
  })
}
