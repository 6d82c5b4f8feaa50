/** Pings, which are recorded together, while checks of one's project are being deleted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { CommitBarrier } from '../../_support/commit-barrier.js'
import { onOneServer } from '../../_support/servers/postgres-server.js'
import { addCheck, LockedRows } from '../../_support/worlds/locked-rows.js'

/** One more than are deleted in one write. */
const CHECKS = 21

test('pings do not wait while a slice of the project of one is deleted', onOneServer, async t => {
  const world = await LockedRows.open(t)
  const { alice, store } = world
  for (let n = 0; n < CHECKS; n++) await addCheck(alice, `check-${n}`)
  await world.query(`UPDATE projects SET deleting = 1 WHERE id = ${alice.projectId}`)
  const barrier = await CommitBarrier.raise(world.url, 'projects', 'UPDATE')
  try {
    const deleting = store.projects.deleteNext(alice.projectId)
    await barrier.waiting(1)
    const left = await world.query('SELECT uuid FROM checks FOR NO KEY UPDATE SKIP LOCKED')
    const pings = left.map(({ uuid }) => arrivedPing({ uuid: String(uuid) }, alice.now, { action: 'fail' }))
    assert.deepEqual((await store.pings.record(pings)).outcomes, ['ok'])
    await barrier.open()
    assert.equal(await deleting, true)
  } finally {
    await barrier.remove()
  }
})
