import assert from 'node:assert/strict'
import { test } from 'node:test'
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

test('a recipient with an account gets times in their own time zone', async () => {
  const facts = await store.channels.recipientFacts(channel.uuid, 'BOB@example.org')
  assert.deepEqual(facts, { timeZone: 'UTC' })
})

test('a recipient without an account gets only times, in the owner’s time zone', async () => {
  const facts = await store.channels.recipientFacts(channel.uuid, 'ops@example.net')
  assert.deepEqual(facts, { timeZone: 'Europe/Zurich' })
})

test('an unproven or disabled account says nothing about the recipient', async () => {
  const squatter = await world.person('reader')
  const ofOwner = { timeZone: 'Europe/Zurich' }
  assert.deepEqual(await store.channels.recipientFacts(channel.uuid, squatter.email), { timeZone: 'UTC' })
  await world.raw(`UPDATE users SET email_proven_at = NULL WHERE id = ${squatter.id}`)
  assert.deepEqual(await store.channels.recipientFacts(channel.uuid, squatter.email), ofOwner)
  await store.people.handOverAccount({ userId: squatter.id, email: squatter.email, now: 1 })
  await store.people.setDisabled(squatter.id, 1)
  assert.deepEqual(await store.channels.recipientFacts(channel.uuid, squatter.email), ofOwner)
})
