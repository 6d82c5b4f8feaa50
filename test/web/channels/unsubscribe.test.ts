import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unsubscribePath } from '../../../src/actions/channels/unsubscribe.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store, project } = world

const OPS = 'ops@example.org'

async function addChannel(): Promise<string> {
  const settings = { value: OPS, down: 'true', up: 'true' }
  const channel = { projectId: project.id, name: 'Ops', kind: 'email', settings, members: [], now: 1 }
  return (await store.channels.create(channel)).uuid
}

const isDisabled = async (uuid: string) => (await store.channels.find(uuid))!.disabled
const pathOf = (uuid: string, address = OPS) => unsubscribePath(world.config.SECRET_KEY, uuid, address)
const press = (path: string) => fetch(world.root + path, { method: 'POST' })

test('opening the link in an alert only asks', async () => {
  const uuid = await addChannel()
  const { status, text } = await world.stranger().get(pathOf(uuid))
  assert.equal(status, 200)
  assert.match(text, /<button[^>]*>\s*Unsubscribe/)
  assert.equal(await isDisabled(uuid), false)
})

test('a mail program’s own button stops the messages, without a session or a token', async () => {
  const uuid = await addChannel()
  const answer = await fetch(world.root + pathOf(uuid), {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  assert.equal(answer.status, 200)
  assert.equal(await isDisabled(uuid), true)
})

test('a link for another channel, or with a changed signature, stops nothing', async () => {
  const [uuid, other] = [await addChannel(), await addChannel()]
  const wrong = [
    pathOf(other).replace(other, uuid),
    pathOf(uuid).replace(/[^/](?=[^/]*\/$)/, first => (first === 'A' ? 'B' : 'A')),
  ]
  for (const path of wrong) {
    const { status, text } = await world.stranger().get(path)
    assert.equal(status, 200)
    assert.match(text, /Incorrect link/)
    await fetch(world.root + path, { method: 'POST' })
    assert.equal(await isDisabled(uuid), false)
  }
})

test('a link that went to the address before stops nothing for the new recipient', async () => {
  const uuid = await addChannel()
  const old = pathOf(uuid)
  const change = { channel_name: '', value: 'new@example.org', down: 'true', up: 'true' }
  assert.equal((await world.alice.post(`/integrations/${uuid}/edit/`, change)).status, 303)
  assert.match((await world.stranger().get(old)).text, /belongs to an address that is no longer used/)
  assert.match(await (await press(old)).text(), /Incorrect link/)
  assert.equal(await isDisabled(uuid), false)
  await press(pathOf(uuid, 'new@example.org'))
  assert.equal(await isDisabled(uuid), true)
})

test('after it nothing is sent there, not even a test, until the recipient agrees again', async () => {
  const uuid = await addChannel()
  await press(pathOf(uuid))
  assert.equal((await world.alice.post(`/integrations/${uuid}/enabled/`, { enabled: 'true' })).status, 303)
  await world.alice.post(`/integrations/${uuid}/test/`)
  const { disabled, confirmed, lastError } = (await store.channels.find(uuid))!
  assert.deepEqual(
    { disabled, confirmed, lastError },
    { disabled: false, confirmed: false, lastError: 'Email not verified' },
  )
})

test('where addresses are not confirmed an unsubscribed channel can be enabled again', async () => {
  const uuid = await addChannel()
  const unsubscribed = {
    uuid,
    settings: (await store.channels.find(uuid))!.settings,
    confirms: false,
    now: 1,
  }
  assert.equal(await store.channels.unsubscribe(unsubscribed), true)
  const { disabled, confirmed } = (await store.channels.find(uuid))!
  assert.deepEqual({ disabled, confirmed }, { disabled: true, confirmed: true })
})
