/** The tags that checks have, for suggestions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestStore } from '../../_support/worlds/store.js'

const NOW = 1_700_000_000_000

test('tags are counted over the checks of some projects', async t => {
  const store = await openTestStore(t)
  const { id: ownerId } = await store.people.createUser({
    ...{ email: 'a@example.org', passwordHash: null, emailProven: true, now: NOW },
  })
  const projects = []
  for (const all of [['prod eu', 'prod eu', 'db prod', ''], ['prod'], ['other']]) {
    const project = await store.projects.create({ name: '', ownerId, pingKey: all.join(), now: NOW })
    for (const tags of all)
      await store.checks.create(project.id, { changes: { tags }, unique: null, now: NOW })
    projects.push(project.id)
  }
  const used = async (ids: number[]) =>
    Object.fromEntries((await store.checks.usedTags(ids)).map(({ tag, checks }) => [tag, checks]))
  assert.deepEqual(await used(projects.slice(0, 2)), { prod: 4, eu: 2, db: 1 })
  assert.deepEqual(await used([]), {})
})
