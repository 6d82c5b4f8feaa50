/** How many projects a person can own: pages and lists show all of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MOST_PROJECTS } from '../../../src/core/projects/most-projects.js'
import { openFreshStore } from '../../_support/worlds/store.js'

test('a person can own a thousand projects, and one more when one is deleted', async t => {
  const { store, remove } = await openFreshStore()
  t.after(remove)
  const [alice, bob] = await Promise.all(
    ['alice@example.org', 'bob@example.org'].map(email =>
      store.people.createUser({ email, passwordHash: null, emailProven: true, now: 1 }),
    ),
  )
  const create = (ownerId: number | null, name = 'Job') =>
    store.projects.create({ name, ownerId, pingKey: null, now: 1 })
  const first = await create(alice!.id)
  for (let made = 1; made < MOST_PROJECTS; made += 111)
    await Promise.all(Array.from({ length: 111 }, () => create(alice!.id)))
  await assert.rejects(create(alice!.id), { code: 'limit', message: 'a person can own 1,000 projects' })
  await create(bob!.id)
  await create(null)
  await store.projects.markForDeletion(alice!.id, first.id)
  await create(alice!.id)
  await assert.rejects(create(alice!.id), { code: 'limit' })
})
