/** A project that is being deleted, slice by slice, is gone for its people and for badges at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

test('it is not listed, and badges of its checks do not answer', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const project = await store.projects.create({ name: 'Going', ownerId: null, pingKey: 'key', now: 1 })
  const scene = new StoreHarness(store, project.id)
  await scene.ping('backup')
  const [check] = await raw('SELECT badge_key FROM check_details')
  const badge = async () => await store.checks.badge(String(check!.badge_key), scene.now)
  assert.equal((await badge())!.name, 'backup')
  assert.equal((await store.projects.list()).length, 1)
  await raw(`UPDATE projects SET deleting = 1 WHERE id = ${project.id}`)
  assert.equal(await badge(), null)
  assert.deepEqual(await store.projects.list(), [])
})
