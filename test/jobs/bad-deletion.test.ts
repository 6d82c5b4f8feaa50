/** A project or an account that cannot be deleted for one row delays no other deletion. Decision 0156. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { finishDeletionsJob } from '../../src/jobs/finish-deletions.js'
import { systemClock } from '../../src/lib/clock.js'
import type { Failed } from '../../src/storage/set-aside.js'
import { eventually } from '../_support/eventually.js'
import { breakRow } from '../_support/worlds/bad-row.js'
import { openFreshStore } from '../_support/worlds/store.js'

/** Accounts with a project each. All projects are to be deleted, and the accounts of these people with them. */
async function open(t: TestContext, people: readonly string[], closing: readonly string[] = []) {
  const { store, raw, remove } = await openFreshStore()
  const jobs: { stop(): Promise<void> }[] = []
  t.after(async () => {
    for (const job of jobs) await job.stop()
    await remove()
  })
  for (const name of people) {
    const email = `${name}@example.org`
    const owner = await store.people.createUser({ email, passwordHash: null, emailProven: true, now: 1 })
    const project = await store.projects.create({ name, ownerId: owner.id, pingKey: name, now: 1 })
    await store.checks.create(project.id, { changes: { name }, unique: null, now: 1 })
    await store.projects.markForDeletion(owner.id)
    if (closing.includes(name)) await store.people.beginClosing(owner.id, 2)
  }
  const aside: string[] = []
  return {
    raw,
    aside,
    /** The names of the projects and the addresses of the accounts that are left. */
    left: async () => {
      const names = await raw(`SELECT name FROM projects UNION ALL SELECT email FROM users ORDER BY 1`)
      return names.map(({ name }) => name)
    },
    /** The job as it begins: it does not wait for its next minute. */
    begin() {
      const onSetAside = ({ what, id }: Failed) => void aside.push(`${what} ${id}`)
      const job = finishDeletionsJob({ store, clock: systemClock, onSetAside, onError: assert.ifError })
      job.start()
      jobs.push(job)
      return job
    },
  }
}

type World = Awaited<ReturnType<typeof open>>

const idOf = async ({ raw }: World, sql: string) => Number((await raw(`SELECT id FROM ${sql}`))[0]!.id)

for (const [on, table, key] of [
  ['DELETE', 'projects', 'OLD.id'],
  ['DELETE', 'check_details', 'OLD.project_id'],
] as const) {
  test(`a project that cannot be deleted for its row of ${table} delays no other`, async t => {
    const world = await open(t, ['bad', 'a', 'b'], ['a'])
    const id = await idOf(world, `projects WHERE name = 'bad'`)
    const mend = await breakRow(world.raw, { on, table, when: `${key} = ${id}` })
    const job = world.begin()
    await eventually(async () => (await world.left()).length === 3)
    assert.deepEqual(await world.left(), ['b@example.org', 'bad', 'bad@example.org'])
    assert.deepEqual(world.aside, [`project ${id}`])
    assert.equal(job.setAside(), 1)
    await job.stop()
    await mend()
    world.begin()
    await eventually(async () => !(await world.left()).includes('bad'))
  })
}

test('an account that cannot be deleted for its row delays no other', async t => {
  const world = await open(t, ['bad', 'a'], ['bad', 'a'])
  const id = await idOf(world, `users WHERE email = 'bad@example.org'`)
  const mend = await breakRow(world.raw, { on: 'DELETE', table: 'users', when: `OLD.id = ${id}` })
  const job = world.begin()
  await eventually(async () => (await world.left()).length === 1)
  await eventually(() => job.setAside() === 1)
  assert.deepEqual(await world.left(), ['bad@example.org'])
  assert.deepEqual(world.aside, [`user ${id}`])
  await job.stop()
  await mend()
  world.begin()
  await eventually(async () => (await world.left()).length === 0)
})
