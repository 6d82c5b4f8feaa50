import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pingCheck } from '../../_support/ping-check.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store, alice, project } = world
const channel = await store.channels.create({
  projectId: project.id,
  name: '',
  kind: 'email',
  settings: { value: 'x@example.org' },
  members: [],
  now: 1,
})
await store.people.setPreferences(alice.id, { timezone: 'Europe/Zurich', theme: 'auto' })

test('a recipient with an account gets its time zone and projects, those with trouble first', async () => {
  await pingCheck(world, await world.addCheck('Broken'), 'fail')
  await world.projectOf(world.bob, 'Another of Bob')
  const facts = await store.channels.recipientFacts(channel.uuid, 'BOB@example.org')
  assert.deepEqual(facts, {
    timeZone: 'UTC',
    projects: [
      { name: 'Alice’s jobs', down: 1 },
      { name: 'Another of Bob', down: 0 },
    ],
  })
})

test('a recipient without an account gets only times, in the owner’s time zone', async () => {
  const facts = await store.channels.recipientFacts(channel.uuid, 'ops@example.net')
  assert.deepEqual(facts, { timeZone: 'Europe/Zurich', projects: null })
})

test('an unproven or disabled account says nothing about the recipient', async () => {
  const squatter = await world.person('reader')
  await world.projectOf(squatter, 'URGENT call +1 900 555 0199')
  const ofOwner = { timeZone: 'Europe/Zurich', projects: null }
  assert.equal((await store.channels.recipientFacts(channel.uuid, squatter.email)).projects?.length, 1)
  await world.raw(`UPDATE users SET email_proven_at = NULL WHERE id = ${squatter.id}`)
  assert.deepEqual(await store.channels.recipientFacts(channel.uuid, squatter.email), ofOwner)
  await store.people.handOverAccount({ userId: squatter.id, email: squatter.email, now: 1 })
  await store.people.setDisabled(squatter.id, 1)
  assert.deepEqual(await store.channels.recipientFacts(channel.uuid, squatter.email), ofOwner)
})
