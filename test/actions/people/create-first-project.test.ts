import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFirstProject } from '../../../src/actions/people/create-first-project.js'
import { createUser } from '../../../src/actions/people/create-user.js'
import { createProject } from '../../../src/actions/projects/create-project.js'
import { FakeClock } from '../../_support/clock.js'
import { openTestStore } from '../../_support/worlds/store.js'

test('the first project is created once, even if two processes start together', async t => {
  const [store, clock] = [await openTestStore(t), new FakeClock()]
  const results = await Promise.all([createFirstProject(store, clock), createFirstProject(store, clock)])
  assert.equal(results.filter(result => result !== null).length, 1)
  assert.equal(await createFirstProject(store, clock), null)
  const [project, ...others] = await store.projects.list()
  assert.equal(others.length, 0)
  assert.equal(project!.name, 'Default')
  assert.equal(project!.checks, 1)
  const { pingKey } = (await store.projects.find(project!.uuid))!
  assert.match(pingKey!, /^[a-z0-9]{22}$/)
  assert.deepEqual(await store.projects.listApiKeys(project!.id), [])
})

test('no first project is created if a project exists', async t => {
  const [store, clock] = [await openTestStore(t), new FakeClock()]
  await createProject(store, clock, { name: 'Mine', ownerEmail: null })
  assert.equal(await createFirstProject(store, clock), null)
  assert.equal((await store.projects.list()).length, 1)
})

test('the first user owns the first project, whichever of the two is created first', async t => {
  for (const order of ['before', 'after']) {
    const [store, clock] = [await openTestStore(t), new FakeClock()]
    const makeUser = () => createUser(store, clock, { email: 'a@example.org', password: null })
    if (order === 'before') await makeUser()
    await createFirstProject(store, clock)
    if (order === 'after') await makeUser()
    const [project] = await store.projects.list()
    assert.equal(project!.owner, 'a@example.org', order)
  }
})
