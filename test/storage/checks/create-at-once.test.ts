/** Checks of one project that are asked for at once: each has its own answer and its own error. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openFreshStore } from '../../_support/worlds/store.js'

async function openWorld(t: TestContext, checkLimit = 1_000) {
  const { store, raw, remove } = await openFreshStore({ checkLimit })
  t.after(remove)
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: null, now: 1 })
  const { id: projectId } = project
  const channel = async (name: string) => {
    const made = { projectId, name, kind: 'webhook', settings: {}, members: [], now: 1 }
    return (await store.channels.create(made)).uuid
  }
  const create = (name: string, channels?: string) =>
    store.checks.create(projectId, { changes: { name }, channels, unique: null, now: 1 })
  /** How many checks there are, by each table, and by the project. */
  const counts = async () => {
    const rows = await raw(`SELECT (SELECT count(*) FROM checks) AS states,
      (SELECT count(*) FROM check_details) AS details, (SELECT n_checks FROM projects) AS counted`)
    return Object.values(rows[0]!).map(Number)
  }
  return { store, projectId, channel, create, counts }
}

const names = (count: number) => Array.from({ length: count }, (_, n) => `check ${n}`)

test('checks that are created at once each have their own names and are all counted', async t => {
  const { store, projectId, create, counts } = await openWorld(t)
  const made = await Promise.all(names(80).map(name => create(name)))
  assert.deepEqual(
    made.map(({ check }) => check.name),
    names(80),
  )
  assert.equal(new Set(made.map(({ check }) => check.badgeKey)).size, 80)
  for (const { check } of made) {
    const { check: found } = await store.checks.withChannels(projectId, { uuid: check.uuid }, 1)
    assert.equal(found.name, check.name)
  }
  assert.deepEqual(await counts(), [80, 80, 80])
})

test('of checks that are created at once, those beyond the limit are refused', async t => {
  const { create, counts } = await openWorld(t, 50)
  const made = await Promise.allSettled(names(80).map(name => create(name)))
  const refused = made.filter(result => result.status === 'rejected')
  assert.equal(refused.length, 30)
  for (const { reason } of refused)
    assert.equal(reason.message, 'the account has reached its limit of 50 checks')
  assert.deepEqual(await counts(), [50, 50, 50])
})

test('a check for unknown channels is refused, and those created with it are not', async t => {
  const { channel, create, counts } = await openWorld(t)
  const [one, two] = [await channel('one'), await channel('two')]
  const asked = ['one', 'nobody', 'two', '', 'one,two', 'nobody', '*', 'one']
  const made = await Promise.allSettled(asked.map(channels => create(channels, channels)))
  assert.deepEqual(
    made.map(result =>
      result.status === 'fulfilled' ? result.value.channels.toSorted() : result.reason.message,
    ),
    [
      [one],
      'invalid channel identifier: nobody',
      [two],
      [],
      [one, two].toSorted(),
      'invalid channel identifier: nobody',
      [one, two].toSorted(),
      [one],
    ],
  )
  assert.deepEqual(await counts(), [6, 6, 6])
})
