/** Event webhooks on pages: owners and managers add, test, change and delete them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRecorder } from '../../_support/servers/recorder.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, bob, rita, mike, charlie, charlies, project, store, clock } = world
const SETTINGS = `/projects/${project.uuid}/settings/`
const WEBHOOKS = `/projects/${project.uuid}/webhooks/`
const FORM = { name: 'Audit', url: 'https://example.org/events', types: [] as string[] }

async function added(fields: Partial<typeof FORM> = {}, who = alice) {
  await who.get(`${WEBHOOKS}add/`)
  const sent = await who.post(`${WEBHOOKS}add/`, { ...FORM, ...fields })
  assert.equal(sent.status, 303, sent.text)
  return sent.location!
}

const secretIn = (text: string) => /whsec_[\w-]+/.exec(text)?.[0]

test('a new webhook shows its secret once, and is listed with its host and state', async () => {
  const path = await added({ url: 'https://example.org/events?token=abc', types: ['check.down', 'check.up'] })
  const page = await alice.open(path)
  assert.ok(secretIn(page.text))
  assert.equal(secretIn((await alice.open(path)).text), undefined)
  const settings = await mike.open(SETTINGS)
  for (const part of ['Audit', 'example.org', '2 types', 'Nothing was sent yet']) {
    assert.ok(settings.text.includes(part), part)
  }
  assert.ok(!settings.text.includes('token=abc'))
  const [webhook] = await store.events.webhooks(project.id)
  assert.deepEqual(webhook!.types, ['check.down', 'check.up'])
})

test('members do not see webhooks, and outsiders find none, by whatever address', async () => {
  const path = await added()
  for (const person of [bob, rita]) {
    assert.ok(!(await person.open(SETTINGS)).text.includes('Event webhooks'))
    assert.equal((await person.get(path)).status, 403)
    assert.equal((await person.get(`${WEBHOOKS}add/`)).status, 403)
    assert.equal((await person.post(`${path}remove/`)).status, 403)
  }
  // In a project of one's own, the webhook of another project is not there.
  const elsewhere = path.replace(project.uuid, charlies.uuid)
  for (const address of [path, elsewhere]) {
    assert.equal((await charlie.get(address)).status, 404)
    for (const action of ['', 'enabled/', 'secret/', 'test/', 'remove/']) {
      assert.equal((await charlie.post(address + action, FORM)).status, 404, action)
    }
  }
  assert.equal((await alice.get(path)).status, 200)
})

test('a test is sent, signed, and listed with its answer', async t => {
  const receiver = await openRecorder(t)
  const path = await added({ url: `${receiver.url}/events` })
  await alice.open(path)
  assert.equal((await alice.post(`${path}test/`)).location, path)
  const page = await alice.open(path)
  assert.match(page.text, /The test arrived in/)
  assert.match(page.text, /Test<span class="help">Answered 2\d\d/)
  const [request] = receiver.requests
  assert.equal(request!.headers['punctual-event'], 'test')
  assert.match(String(request!.headers['punctual-signature']), /^t=\d+,v1=[0-9a-f]{64}$/)
})

test('a test that does not arrive says why, and twenty an hour are enough', async () => {
  const path = await added({ url: 'http://127.0.0.1:1/events' })
  await alice.open(path)
  await alice.post(`${path}test/`)
  const page = await alice.open(path)
  assert.match(page.text, /The test did not arrive/)
  assert.match(page.text, /<span class="help error">/)
  const statuses: number[] = []
  for (let n = 0; n < 21; n++) statuses.push((await alice.post(`${path}test/`)).status)
  assert.equal(statuses.at(-1), 429)
  clock.advance(3_600)
})

test('it is changed, disabled and enabled, gets another secret, and is deleted', async () => {
  const path = await added()
  const uuid = path.split('/').at(-2)!
  const now = () => store.events.webhook(project.id, uuid)
  const before = await now()
  await mike.open(path)
  await mike.post(path, { name: 'Ledger', url: 'http://example.net/', types: ['member.added', 'nonsense'] })
  assert.deepEqual([(await now()).name, (await now()).types], ['Audit', []])
  await mike.post(path, { name: ' Ledger ', url: 'http://example.net/', types: ['member.added'] })
  const changed = await now()
  assert.deepEqual(
    [changed.name, changed.url, changed.types],
    ['Ledger', 'http://example.net/', ['member.added']],
  )
  await mike.post(`${path}enabled/`, { enabled: 'off' })
  assert.equal((await now()).enabled, false)
  assert.match((await mike.open(path)).text, /Event webhook disabled/)
  await mike.post(`${path}enabled/`, { enabled: 'on' })
  assert.equal((await now()).enabled, true)
  await mike.post(`${path}secret/`)
  assert.ok(secretIn((await mike.open(path)).text))
  assert.notEqual((await now()).secret, before.secret)
  assert.equal((await mike.post(`${path}remove/`)).location, `${SETTINGS}#webhooks`)
  assert.equal((await mike.get(path)).status, 404)
})

for (const [what, fields, words] of [
  ['no name', { name: ' ' }, /The name is empty/],
  ['a long name', { name: 'x'.repeat(101) }, /The name is longer than 100 characters/],
  ['no address', { url: '' }, /The address is not an address/],
  ['an address of another kind', { url: 'ftp://example.org/' }, /begins with http:\/\/ or https:\/\//],
  ['a type that is none', { types: ['check.eaten'] }, /The list of events is not a type/],
] as const) {
  test(`${what} is refused, and what was typed stays`, async () => {
    await alice.get(`${WEBHOOKS}add/`)
    const before = (await store.events.webhooks(project.id)).length
    const form = { ...FORM, name: 'Typed', ...fields } as Record<string, string | string[]>
    const page = await alice.post(`${WEBHOOKS}add/`, form)
    assert.equal(page.status, 400)
    assert.match(page.text, words)
    if (!('name' in fields)) assert.match(page.text, /value="Typed"/)
    assert.equal((await store.events.webhooks(project.id)).length, before)
  })
}

test('a project has at most ten', async () => {
  const left = 10 - (await store.events.webhooks(project.id)).length
  for (let n = 0; n < left; n++) await added({ name: `W${n}` })
  await alice.get(`${WEBHOOKS}add/`)
  const page = await alice.post(`${WEBHOOKS}add/`, FORM)
  assert.match(page.text, /can have 10 event webhooks/)
})
