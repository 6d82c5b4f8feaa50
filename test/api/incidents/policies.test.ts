/** Policies in Punctual's own API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie, clock } = world
const PREFIX = '/api/punctual/v1'
const POLICIES = `${PREFIX}/policies`

const send = (method: string, path: string, body?: unknown, key = alice.rw) =>
  world.send(method, path, { key, ...(body === undefined ? {} : { body }) })

async function channelOf({ projectId }: typeof alice, name: string) {
  const { id, uuid } = await world.store.channels.create({
    projectId,
    name,
    kind: 'webhook',
    settings: {},
    members: [],
    now: clock.now(),
  })
  return { id, uuid }
}

const AT_ONCE = [{ after: 0, channels: 'check' }]
let count = 0
const name = () => `Policy ${++count}`

test('a policy is created, listed, changed, made the default and deleted', async () => {
  const { uuid: phone } = await channelOf(alice, 'Phone')
  const steps = [...AT_ONCE, { after: 900, channels: [phone] }]
  const created = await send('POST', POLICIES, {
    name: ' On call ',
    steps,
    repeat: { every: 3600, times: 5 },
  })
  assert.equal(created.status, 201, created.text)
  const { id, ...policy } = created.json
  const expected = { name: 'On call', default: false, steps, repeat: { every: 3600, times: 5 }, checks: 0 }
  assert.deepEqual(policy, expected)
  assert.deepEqual((await send('GET', `${POLICIES}/${id}`)).json, created.json)
  assert.deepEqual((await send('GET', POLICIES)).json, { items: [created.json], next: null })
  const changed = await send('PATCH', `${POLICIES}/${id}`, { default: true, repeat: null })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(changed.json, { id, ...expected, default: true, repeat: null })
  const other = (await send('POST', POLICIES, { name: name(), steps: AT_ONCE, default: true })).json
  assert.equal(other.default, true)
  assert.equal((await send('GET', `${POLICIES}/${id}`)).json.default, false)
  assert.deepEqual((await send('DELETE', `${POLICIES}/${id}`)).json, {})
  assert.equal((await send('GET', `${POLICIES}/${id}`)).status, 404)
  assert.equal((await send('DELETE', `${POLICIES}/${id}`)).status, 404)
  await send('DELETE', `${POLICIES}/${other.id}`)
})

test('a check names a policy by ID or name, and loses it when the policy is deleted', async () => {
  const check = await world.check(alice)
  const path = `${PREFIX}/checks/${check.uuid}`
  assert.equal((await send('GET', path)).json.policy, null)
  const policy = (await send('POST', POLICIES, { name: 'Nights', steps: AT_ONCE })).json
  for (const named of [policy.id, 'Nights']) {
    const patched = await send('PATCH', path, { policy: named })
    assert.equal(patched.json.policy, policy.id, patched.text)
    assert.equal((await send('GET', `${POLICIES}/${policy.id}`)).json.checks, 1)
    assert.equal((await send('PATCH', path, { policy: null })).json.policy, null)
  }
  await send('PATCH', path, { policy: policy.id })
  await send('DELETE', `${POLICIES}/${policy.id}`)
  assert.equal((await send('GET', path)).json.policy, null)
  const wrong = await send('PATCH', path, { policy: policy.id, name: 'Changed' })
  assert.equal(wrong.status, 422)
  assert.equal(wrong.json.errors[0].pointer, '/policy')
  assert.equal((await send('GET', path)).json.name, check.name)
})

const WRONG: [string, unknown, string][] = [
  ['without a name', { steps: AT_ONCE }, '/name'],
  ['with an empty name', { name: ' ', steps: AT_ONCE }, '/name'],
  ['without steps', { name: name(), steps: [] }, '/steps'],
  ['with steps that are no list', { name: name(), steps: 5 }, '/steps'],
  ['with a step in the past', { name: name(), steps: [{ after: -1, channels: 'check' }] }, '/steps/0/after'],
  [
    'with steps out of order',
    { name: name(), steps: [{ after: 60, channels: 'check' }, ...AT_ONCE] },
    '/steps/1/after',
  ],
  ['with a step for nobody', { name: name(), steps: [{ after: 0, channels: [] }] }, '/steps/0/channels'],
  ['with a step for a word', { name: name(), steps: [{ after: 0, channels: 'all' }] }, '/steps/0/channels'],
  [
    'with repeats that are too fast',
    { name: name(), steps: AT_ONCE, repeat: { every: 299, times: 1 } },
    '/repeat/every',
  ],
  ['with an unknown field', { name: name(), steps: AT_ONCE, often: true }, '/often'],
]

for (const [what, body, pointer] of WRONG) {
  test(`a policy ${what} is refused, with the place`, async () => {
    const answer = await send('POST', POLICIES, body)
    assert.equal(answer.status, 422, answer.text)
    assert.equal(answer.json.errors[0].pointer, pointer)
  })
}

test('two policies of a project cannot have one name', async () => {
  const first = (await send('POST', POLICIES, { name: 'Twice', steps: AT_ONCE })).json
  const second = await send('POST', POLICIES, { name: 'Twice', steps: AT_ONCE })
  assert.equal(second.json.errors[0].pointer, '/name')
  assert.equal((await send('PATCH', `${POLICIES}/${first.id}`, { name: 'Twice' })).status, 200)
})

test('a policy cannot name a channel of another project', async () => {
  const { uuid: foreign } = await channelOf(charlie, 'Hers')
  const steps = [{ after: 0, channels: [foreign] }]
  const created = await send('POST', POLICIES, { name: name(), steps })
  assert.equal(created.status, 422)
  assert.equal(created.json.errors[0].pointer, '/steps')
  const own = (await send('POST', POLICIES, { name: name(), steps: AT_ONCE })).json
  assert.equal((await send('PATCH', `${POLICIES}/${own.id}`, { steps })).status, 422)
})

test('a channel that was deleted leaves the steps', async () => {
  const phone = await channelOf(alice, 'Lost phone')
  const body = { name: name(), steps: [...AT_ONCE, { after: 60, channels: [phone.uuid] }] }
  const { id } = (await send('POST', POLICIES, body)).json
  await world.store.channels.delete(phone.id, clock.now())
  assert.deepEqual((await send('GET', `${POLICIES}/${id}`)).json.steps[1], { after: 60, channels: [] })
  assert.equal((await send('PATCH', `${POLICIES}/${id}`, { name: name() })).status, 200)
})

test('a read-only key sees policies without the UUIDs of channels, and changes nothing', async () => {
  const { uuid: phone } = await channelOf(alice, 'Desk')
  const steps = [{ after: 60, channels: [phone] }]
  const { id } = (await send('POST', POLICIES, { name: name(), steps })).json
  const path = `${POLICIES}/${id}`
  const seen = await send('GET', path, undefined, alice.ro)
  assert.deepEqual(seen.json.steps, [{ after: 60 }])
  assert.ok(!(await send('GET', POLICIES, undefined, alice.ro)).text.includes(phone))
  assert.equal((await send('POST', POLICIES, { name: name(), steps: AT_ONCE }, alice.ro)).status, 403)
  assert.equal((await send('PATCH', path, { name: name() }, alice.ro)).status, 403)
  assert.equal((await send('DELETE', path, undefined, alice.ro)).status, 403)
})

test('an outsider does not see, change, delete or use a policy', async () => {
  const { id } = (await send('POST', POLICIES, { name: name(), steps: AT_ONCE })).json
  const path = `${POLICIES}/${id}`
  assert.deepEqual((await send('GET', POLICIES, undefined, charlie.rw)).json, { items: [], next: null })
  assert.equal((await send('GET', path, undefined, charlie.rw)).status, 404)
  assert.equal((await send('PATCH', path, { name: 'Mine' }, charlie.rw)).status, 404)
  assert.equal((await send('DELETE', path, undefined, charlie.rw)).status, 404)
  const hers = await world.check(charlie)
  const used = await send('PATCH', `${PREFIX}/checks/${hers.uuid}`, { policy: id }, charlie.rw)
  assert.equal(used.status, 422)
  assert.equal((await send('GET', path)).status, 200)
})

test('an address whose ID nothing can have is not found', async () => {
  for (const noun of ['policies', 'incidents', 'silences']) {
    for (const id of ['0', '-1', 'x', '1e3', '2147483648', '99999999999999999999', '%00']) {
      const { status, text } = await send('GET', `${PREFIX}/${noun}/${id}`)
      assert.equal(status, 404, `${noun}/${id}: ${text}`)
    }
  }
})
