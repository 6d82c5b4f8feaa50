import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { deliver } from '../../../src/actions/alerts/deliver.js'
import { createBodyStore } from '../../../src/actions/pings/read-bodies.js'
import { uploadBodies } from '../../../src/actions/pings/upload-bodies.js'
import { claimMessages } from '../../_support/claim.js'
import { FakeClock } from '../../_support/clock.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { openS3Server } from '../../_support/servers/s3-server.js'
import { testDelivery } from '../../_support/worlds/delivery.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const OUTPUT = `${'copied a file\n'.repeat(300)}disk full`

/** A world with a check that failed, and its output moved to object storage. */
async function openOutside(t: TestContext) {
  const server = await openS3Server(t)
  const objects = server.client()
  const bodies = createBodyStore(objects, new FakeClock(), () => {})
  const world = await openWebWorld({ store: { objectStorage: true }, bodies })
  const { store, clock } = world
  const uuid = await world.addCheck('Backup')
  await world.ping({ uuid }, '/fail', { method: 'POST', body: OUTPUT })
  const { done } = await uploadBodies({ store, clock, objects, leaseMs: 1 }, new AbortController().signal)
  assert.equal(done, 1)
  return { ...world, server, bodies, uuid }
}

test('pages show a body from where it lies, and do without while that does not answer', async t => {
  const { alice, server, uuid } = await openOutside(t)
  const ping = `/checks/${uuid}/pings/1/`
  assert.match((await alice.get(ping)).text, /disk full/s)
  assert.equal((await alice.get(`${ping}body/`)).text, OUTPUT)
  const details = await alice.get(`/checks/${uuid}/details/`)
  assert.match(details.text, /End of the last output.*disk full/s)
  assert.ok(!details.text.includes(OUTPUT))
  await server.stop()
  const without = await alice.get(ping)
  assert.equal(without.status, 200)
  assert.match(without.text, /cannot be read at the moment/)
  assert.equal((await alice.get(`/checks/${uuid}/details/`)).status, 200)
  assert.equal((await alice.get(`${ping}body/`)).status, 503)
})

test('the API answers a body from where it lies, and 503 while that does not answer', async t => {
  const { server, ...world } = await openOutside(t)
  const owner = await world.account('Olga')
  const check = await world.check(owner)
  await world.ping(check, '', { method: 'POST', body: OUTPUT })
  const get = () => world.get(`/api/v3/checks/${check.uuid}/pings/1/body`, owner.rw)
  assert.equal((await get()).text, OUTPUT)
  const { store, clock } = world
  await uploadBodies({ store, clock, objects: server.client(), leaseMs: 1 }, new AbortController().signal)
  const { text, headers } = await get()
  assert.equal(text, OUTPUT)
  assert.equal(headers.get('content-type'), 'text/plain')
  await server.stop()
  assert.equal((await get()).status, 503)
})

test('an alert carries a body from where it lies, and goes without while that does not answer', async t => {
  const { server, bodies, ...world } = await openOutside(t)
  const { store, clock, project } = world
  const { url, requests } = await openRecorder(t)
  const settings = { url_down: `${url}/down`, method_down: 'POST', body_down: '$BODY' }
  const channel = await store.channels.create({
    projectId: project.id,
    name: '',
    kind: 'webhook',
    settings,
    members: [],
    now: clock.now(),
  })
  for (const answers of [true, false]) {
    if (!answers) await server.stop()
    const uuid = await world.addCheck('Told')
    await store.channels.switchForCheck(project.id, { check: uuid, channel: channel.uuid }, true, 1)
    await world.ping({ uuid }, '/fail', { method: 'POST', body: OUTPUT })
    if (answers) {
      await uploadBodies({ store, clock, objects: server.client(), leaseMs: 1 }, new AbortController().signal)
    } else {
      const now = clock.now()
      for (const { key } of await store.pings.claimUploads({ now, leaseUntil: now, limit: 9 }))
        await store.pings.confirmUploads([key])
    }
    const [message] = await claimMessages(store, clock.now(), { worker: 'tests' })
    const { signal } = new AbortController()
    await deliver({ ...testDelivery(store, clock), bodies }, message!, signal, { check() {} })
  }
  assert.deepEqual(
    requests.map(({ body }) => body),
    [OUTPUT, ''],
  )
})

test('a search finds a text in outputs that lie outside, and says which it could not read', async t => {
  const { alice, server, uuid } = await openOutside(t)
  const [log, site] = [`/checks/${uuid}/log/?text=DISK+full`, '/search/?q=DISK+full']
  assert.match((await alice.get(log)).text, /#L301".*<mark>disk full<\/mark>/s)
  assert.match((await alice.get(site)).text, /<mark>disk full<\/mark>/)
  await server.stop()
  const unread = /No output has “DISK full”\..*1 output in object storage could not be read\./s
  for (const address of [log, site]) assert.match((await alice.get(address)).text, unread)
})
