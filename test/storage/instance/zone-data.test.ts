import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recomputeDueTimes } from '../../../src/actions/instance/recompute-due-times.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { openFreshStore } from '../../_support/worlds/store.js'

test('new zone data corrects stored due times, and the watcher wakes for them', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const project = await store.projects.create({ name: '', ownerId: null, pingKey: null, now: 1 })
  const now = Date.UTC(2026, 0, 15, 12)
  const made = await store.checks.create(project.id, {
    changes: { schedule: '0 3 * * *', tz: 'Europe/Riga', graceSeconds: 600 },
    unique: null,
    now,
  })
  const { uuid } = made.check
  await store.pings.record([arrivedPing({ uuid }, now)])
  const due = Date.UTC(2026, 0, 16, 1)
  const stored = async () => (await raw('SELECT due_at, alert_after, wake_at FROM checks'))[0]
  const right = { due_at: due, alert_after: due + 600_000, wake_at: due + 600_000 }
  assert.deepEqual(await stored(), right)

  // As if the zone had been an hour off when the due time was stored.
  const hour = 3_600_000
  const late = due + hour + 600_000
  const spoil = () =>
    raw(`UPDATE checks SET due_at = ${due + hour}, alert_after = ${late}, wake_at = ${late}`)
  await spoil()
  assert.equal(await recomputeDueTimes(store, 'new data'), 1)
  assert.deepEqual(await stored(), right)

  await spoil()
  assert.equal(await recomputeDueTimes(store, 'new data'), 0, 'the same data is not gone through again')
})
