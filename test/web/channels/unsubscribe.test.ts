import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unsubscribePath } from '../../../src/actions/channels/unsubscribe.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store, project } = world

async function addChannel(): Promise<string> {
  const settings = { value: 'ops@example.org', down: 'true', up: 'true' }
  const channel = { projectId: project.id, name: 'Ops', kind: 'email', settings, members: [], now: 1 }
  return (await store.createChannel(channel)).uuid
}

const isDisabled = async (uuid: string) => (await store.findChannel(uuid))!.disabled
const pathOf = (uuid: string) => unsubscribePath(world.config.SECRET_KEY, uuid)

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
