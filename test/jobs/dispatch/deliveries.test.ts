/** From a failing ping to the receiver and back to what people see. Real store, real dispatcher, real HTTP. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { checkSettings } from '../../../src/integrations/fields.js'
import { webhook } from '../../../src/integrations/kinds/webhook/webhook.js'
import { MailSlots } from '../../../src/jobs/dispatch/slots/mail-slots.js'
import { Changes } from '../../../src/lib/changes.js'
import { type Clock, systemClock } from '../../../src/lib/clock.js'
import type { MailerOptions } from '../../../src/lib/mail/mailer.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { eventually } from '../../_support/eventually.js'
import { openMailServer } from '../../_support/servers/mail-server.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { type Dispatcher, startDispatcher } from '../../_support/worlds/dispatcher.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

/** Runs `body` with a scene at the present time, and what it starts ends before the store closes. */
async function withScene(
  t: TestContext,
  body: (
    scene: StoreHarness,
    start: (worker?: string, clock?: Clock, mail?: MailerOptions) => Dispatcher,
  ) => Promise<void>,
): Promise<void> {
  const scene = await StoreHarness.open(t)
  scene.now = Date.now()
  const started: Dispatcher[] = []
  try {
    await body(scene, (worker, clock, mail) => {
      const dispatcher = startDispatcher(scene, worker, clock, mail)
      started.push(dispatcher)
      return dispatcher
    })
  } finally {
    for (const dispatcher of started) await dispatcher.stop()
  }
  for (const dispatcher of started) assert.deepEqual(dispatcher.errors, [])
}

const addWebhook = (scene: StoreHarness, name: string, settings: Record<string, string>) =>
  scene.addChannel(name, checkSettings(webhook, settings))

test('a failing ping reaches the receiver, and so does the recovery', async t => {
  const receiver = await openRecorder(t)
  await withScene(t, async (scene, start) => {
    await addWebhook(scene, 'A', {
      url_down: `${receiver.url}/down?name=$NAME`,
      url_up: `${receiver.url}/up`,
      method_up: 'POST',
      body_up: '$NAME is $STATUS',
    })
    const { wake } = start()
    await scene.ping('backup', 'fail')
    wake()
    await eventually(() => receiver.requests.length === 1)
    await scene.ping('backup', 'success')
    wake()
    await eventually(() => receiver.requests.length === 2)
  })
  const seen = receiver.requests.map(({ method, url, body }) => [method, url, body])
  assert.deepEqual(seen, [
    ['GET', '/down?name=backup', ''],
    ['POST', '/up', 'backup is up'],
  ])
  const keys = receiver.requests.map(({ headers }) => headers['idempotency-key'])
  assert.notEqual(keys[0], keys[1])
})

test('a failed delivery is retried with the same idempotency key', async t => {
  const receiver = await openRecorder(t, () => ({ status: receiver.requests.length === 1 ? 500 : 200 }))
  await withScene(t, async (scene, start) => {
    const { uuid } = await addWebhook(scene, 'A', { url_down: receiver.url })
    const { outcomes } = start()
    await scene.ping('backup', 'fail')
    await eventually(() => outcomes.length === 2)
    assert.deepEqual(outcomes, ['retry', 'sent'])
    assert.equal((await scene.store.channels.find(uuid))!.lastError, '')
  })
  const keys = new Set(receiver.requests.map(({ headers }) => headers['idempotency-key']))
  assert.equal(keys.size, 1)
})

test('a receiver that asks for a pause gets it', async t => {
  const receiver = await openRecorder(t, () => ({ status: 429, headers: { 'Retry-After': '120' } }))
  await withScene(t, async (scene, start) => {
    await addWebhook(scene, 'A', { url_down: receiver.url })
    const { outcomes } = start()
    await scene.ping('backup', 'fail')
    await eventually(() => outcomes.length === 1)
    const { next } = await scene.store.alerts.dueChannels({ now: Date.now(), cursor: 0 })
    assert.ok(next !== null && next >= scene.now + 120_000, String(next))
  })
})

test('a recovery replaces a down alert that could not be delivered', async t => {
  let broken = true
  const receiver = await openRecorder(t, () => ({ status: broken ? 500 : 200 }))
  await withScene(t, async (scene, start) => {
    await addWebhook(scene, 'A', { url_down: `${receiver.url}/down`, url_up: `${receiver.url}/up` })
    const { outcomes, wake } = start()
    await scene.ping('backup', 'fail')
    wake()
    await eventually(() => outcomes.length === 1)
    broken = false
    await scene.ping('backup', 'success')
    wake()
    await eventually(() => outcomes.includes('sent'))
    assert.deepEqual(outcomes, ['retry', 'superseded', 'sent'])
  })
  assert.deepEqual(
    receiver.requests.map(({ url }) => url),
    ['/down', '/up'],
  )
})

test('a down alert is sent if the channel wants no recoveries and the check recovered', async t => {
  const receiver = await openRecorder(t)
  await withScene(t, async (scene, start) => {
    await addWebhook(scene, 'A', { url_down: `${receiver.url}/down` })
    await scene.ping('backup', 'fail')
    await scene.ping('backup', 'success')
    const { outcomes } = start()
    await eventually(() => outcomes.length === 2)
    assert.deepEqual(outcomes, ['unwanted', 'sent'])
  })
})

test('a message under way is not sent again when the clock is set an hour ahead', async t => {
  const hanging: (() => void)[] = []
  const receiver = await openRecorder(t, (_request, response) => {
    hanging.push(() => response.end('OK'))
  })
  await withScene(t, async (scene, start) => {
    await addWebhook(scene, 'A', { url_down: `${receiver.url}/$NAME` })
    let ahead = 0
    const dispatcher = start('me', { now: () => Date.now() + ahead })
    await scene.ping('first', 'fail')
    dispatcher.wake()
    await eventually(() => receiver.requests.length === 1)
    ahead = 3_600_000
    await scene.ping('second', 'fail')
    dispatcher.wake()
    await eventually(() => receiver.requests.length > 1)
    for (const answer of hanging.splice(0)) answer()
    await eventually(() => dispatcher.outcomes.length > 1)
  })
  assert.deepEqual(
    receiver.requests.map(({ url }) => url),
    ['/first', '/second'],
  )
})

/** A store whose process freezes just before it composes a message, until `goOn` is called. */
function freezingStore(store: StoreHarness['store']) {
  let reached = () => {}
  let goOn = () => {}
  const standing = new Promise<void>(resolve => (reached = resolve))
  const over = new Promise<void>(resolve => (goOn = resolve))
  const facts: typeof store.alerts.facts = async (...args) => {
    reached()
    await over
    return await store.alerts.facts(...args)
  }
  // It has changes of its own, as another process has.
  const changes = new Changes()
  return { store: { ...store, changes, alerts: { ...store.alerts, facts } }, standing, goOn }
}

test('a process frozen longer than its lease does not send what another has sent', async t => {
  const receiver = await openRecorder(t)
  const scene = await StoreHarness.open(t)
  scene.now = Date.now()
  await addWebhook(scene, 'A', { url_down: `${receiver.url}/down`, url_up: `${receiver.url}/up` })
  let ahead = 0
  const clock = { now: () => Date.now() + ahead }
  const { store, standing, goOn } = freezingStore(scene.store)
  const still = startDispatcher({ store }, 'still', clock)
  await scene.ping('backup', 'fail')
  still.wake()
  await standing
  ahead = 3_600_000
  scene.now += ahead
  const other = startDispatcher(scene, 'other', clock)
  try {
    await eventually(() => receiver.requests.length === 1)
    await scene.ping('backup')
    other.wake()
    await eventually(() => receiver.requests.length === 2)
    goOn()
    await eventually(async () => (await scene.store.alerts.claimants()).length === 0)
  } finally {
    goOn()
    await still.stop()
    await other.stop()
  }
  assert.deepEqual(
    receiver.requests.map(({ url }) => url),
    ['/down', '/up'],
  )
  assert.deepEqual([still.outcomes, still.errors, other.errors], [[], [], []])
})

test('a slow receiver delays no other', async t => {
  const hanging: (() => void)[] = []
  const slow = await openRecorder(t, (_request, response) => {
    hanging.push(() => response.end('OK'))
    return undefined
  })
  const quick = await openRecorder(t)
  await withScene(t, async (scene, start) => {
    await addWebhook(scene, 'Slow', { url_down: slow.url })
    await addWebhook(scene, 'Quick', { url_down: quick.url })
    for (let index = 0; index < 30; index++) await scene.ping(`c${index}`, 'fail')
    const { outcomes } = start()
    await eventually(() => outcomes.length === 30)
    assert.equal(quick.requests.length, 30)
    assert.equal(slow.requests.length, 5, 'so many at once through a channel that has not answered yet')
    while (outcomes.length < 60) {
      hanging.shift()?.()
      await sleep(2)
    }
  })
  assert.equal(slow.requests.length, 30)
})

test('a stop releases unfinished deliveries, which another dispatcher makes', async t => {
  let hang = true
  const receiver = await openRecorder(t, () => (hang ? undefined : {}))
  await withScene(t, async (scene, start) => {
    await addWebhook(scene, 'A', { url_down: receiver.url })
    await scene.ping('backup', 'fail')
    const first = start('first')
    await eventually(() => receiver.requests.length === 1)
    await first.stop()
    hang = false
    const second = start('second')
    await eventually(() => second.outcomes.length === 1)
    assert.deepEqual(second.outcomes, ['sent'])
  })
  const keys = new Set(receiver.requests.map(({ headers }) => headers['idempotency-key']))
  assert.equal(keys.size, 1)
})

test('a stop records what was sent before it releases the rest', async t => {
  let cutOff = () => {}
  const isCutOff = new Promise<void>(resolve => (cutOff = resolve))
  const receiver = await openRecorder(t, ({ url }, response) => {
    if (url === '/sent') return {}
    response.on('close', cutOff)
    return undefined
  })
  const scene = await StoreHarness.open(t)
  scene.now = Date.now()
  for (const name of ['sent', 'hangs']) await addWebhook(scene, name, { url_down: `${receiver.url}/${name}` })
  await scene.ping('backup', 'fail')
  const { alerts } = scene.store
  const order: string[] = []
  const settleMessage: typeof alerts.settleMessage = async settlement => {
    await isCutOff
    const settled = await alerts.settleMessage(settlement)
    order.push('settled')
    return settled
  }
  const releaseClaims: typeof alerts.releaseClaims = async (...args) => {
    order.push('released')
    await alerts.releaseClaims(...args)
  }
  const store = { ...scene.store, alerts: { ...alerts, settleMessage, releaseClaims } }
  const dispatcher = startDispatcher({ store })
  await eventually(() => receiver.requests.length === 2)
  await dispatcher.stop()
  assert.deepEqual(order, ['settled', 'released'])
  assert.deepEqual(dispatcher.outcomes, ['sent'])
})

test('a hanging message does not delay other checks of its channel', async t => {
  const receiver = await openRecorder(t, ({ url }) => (url.startsWith('/hanging') ? undefined : {}))
  await withScene(t, async (scene, start) => {
    await addWebhook(scene, 'A', {
      url_down: `${receiver.url}/$NAME/down`,
      url_up: `${receiver.url}/$NAME/up`,
    })
    const { wake } = start()
    const arrived = (path: string) => eventually(() => receiver.requests.some(({ url }) => url === path))
    await scene.ping('hanging', 'fail')
    wake()
    await arrived('/hanging/down')
    await scene.ping('hanging', 'success')
    wake()
    await scene.ping('healthy', 'fail')
    wake()
    await arrived('/healthy/down')
  })
})

test('hanging receivers delay neither their project’s others nor other projects', async t => {
  const hung = await openRecorder(t, () => undefined)
  const quick = await openRecorder(t)
  await withScene(t, async (scene, start) => {
    for (let index = 0; index < 10; index++) {
      await addWebhook(scene, `Hung ${index}`, { url_down: `${hung.url}/${index}` })
    }
    const slugs = Array.from({ length: 60 }, (_, index) => `c${index}`)
    await scene.store.pings.record(slugs.map(slug => scene.arrived(slug, 'fail')))
    const dispatcher = start()
    await eventually(() => hung.requests.length === 50)
    await addWebhook(scene, 'Quick', { url_down: quick.url })
    const project = await scene.store.projects.create({ name: 'Bob', ownerId: null, pingKey: 'bob', now: 1 })
    const settings = checkSettings(webhook, { url_down: `${quick.url}/bob` })
    const channel = { projectId: project.id, name: 'Bob', kind: 'webhook', settings, members: [], now: 1 }
    await scene.store.channels.create(channel)
    for (let index = 0; index < 5; index++) {
      await scene.ping(`late-${index}`)
      await scene.ping(`late-${index}`, 'fail')
      const target = { pingKey: 'bob', slug: `b${index}`, create: true }
      await scene.store.pings.record([arrivedPing(target, scene.now, { action: 'fail' })])
      dispatcher.wake()
    }
    await eventually(() => quick.requests.filter(({ url }) => url === '/bob').length === 5)
    await eventually(() => quick.requests.filter(({ url }) => url !== '/bob').length === 5)
    await eventually(() => dispatcher.outcomes.length >= 10)
    assert.deepEqual(dispatcher.outcomes, Array(10).fill('sent'), 'nothing that hangs has ended yet')
  })
})

test('a channel found while no slot was free is sent its alert without a new search', async t => {
  const hung = await openRecorder(t, () => undefined)
  const quick = await openRecorder(t)
  const scene = await StoreHarness.open(t)
  scene.now = Date.now()
  const failIn = async (pingKey: string, urls: string[], checks: number) => {
    const project = await scene.store.projects.create({ name: pingKey, ownerId: null, pingKey, now: 1 })
    for (const [index, url] of urls.entries()) {
      const settings = checkSettings(webhook, { url_down: url })
      const channel = {
        projectId: project.id,
        name: `C${index}`,
        kind: 'webhook',
        settings,
        members: [],
        now: 1,
      }
      await scene.store.channels.create(channel)
    }
    for (let index = 0; index < checks; index++) {
      const target = { pingKey, slug: `s${index}`, create: true }
      await scene.store.pings.record([arrivedPing(target, scene.now, { action: 'fail' })])
    }
    return project.id
  }
  const channels = Array.from({ length: 8 }, (_, index) => `${hung.url}/${index}`)
  await failIn('first', channels, 5)
  await failIn('second', channels, 5)
  const victim = await failIn('victim', [`${quick.url}/victim`], 1)
  let found = 0
  const dueChannels: typeof scene.store.alerts.dueChannels = async request => {
    const due = await scene.store.alerts.dueChannels(request)
    const isSeen = ({ id, projectId }: (typeof due.channels)[number]) =>
      projectId !== victim || found++ === 0 || request.also?.includes(id)
    return { ...due, channels: due.channels.filter(isSeen) }
  }
  const store = { ...scene.store, alerts: { ...scene.store.alerts, dueChannels } }
  const dispatcher = startDispatcher({ store })
  try {
    await eventually(() => quick.requests.length === 1)
  } finally {
    await dispatcher.stop()
  }
  assert.deepEqual(dispatcher.outcomes, ['sent'])
})

/** A mail server that never answers who the recipient is. */
async function openHangingMailServer(t: TestContext) {
  const recipients: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }) => recipients.push(address),
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.server.address() as import('node:net').AddressInfo
  const login = { user: '', password: '', startTls: false, implicitTls: false }
  return { recipients, options: { host: '127.0.0.1', port, from: 'punctual@example.org', ...login } }
}

test('a project whose e-mails hang leaves connections to the mail server for others', async t => {
  const { recipients, options } = await openHangingMailServer(t)
  await withScene(t, async (scene, start) => {
    const { projects, channels, pings } = scene.store
    const other = await projects.create({ name: 'Bob', ownerId: null, pingKey: 'other', now: 1 })
    const addEmail = (projectId: number, value: string) => {
      const settings = { value, down: 'true', up: 'true' }
      return channels.create({ projectId, name: '', kind: 'email', settings, members: [], now: scene.now })
    }
    for (let number = 1; number <= 12; number++) {
      await addEmail(scene.projectId, `alice${number}@example.org`)
    }
    await addEmail(other.id, 'bob@example.org')
    const { wake } = start('me', systemClock, options)
    await scene.ping('backup', 'fail')
    wake()
    await eventually(() => recipients.length >= 5)
    const target = { pingKey: 'other', slug: 'backup', create: true }
    await pings.record([arrivedPing(target, scene.now, { action: 'fail' })])
    wake()
    await eventually(() => recipients.includes('bob@example.org'))
    assert.equal(recipients.length, 5 + 1)
  })
})

test('an e-mail that the mail server has, and has only to accept, is noted in its slot', async t => {
  const noted = t.mock.method(MailSlots.prototype, 'handedOver')
  const server = await openMailServer(t)
  await withScene(t, async (scene, start) => {
    await scene.store.channels.create({
      projectId: scene.projectId,
      name: '',
      kind: 'email',
      settings: { value: 'alice@example.org', down: 'true', up: 'true' },
      members: [],
      now: scene.now,
    })
    const { outcomes } = start('me', systemClock, server.options)
    await scene.ping('backup', 'fail')
    await eventually(() => outcomes.length === 1)
    assert.deepEqual([outcomes, noted.mock.callCount()], [['sent'], 1])
  })
})

test('an alert does not wait long for the text of an e-mail that is slow to read', async t => {
  const receiver = await openRecorder(t)
  await withScene(t, async (scene, start) => {
    const urls = Array.from({ length: 12 }, (_, index) => `${receiver.url}/${index}`)
    for (const url_down of urls) await addWebhook(scene, 'A', { url_down })
    const { wake } = start()
    const body = Buffer.from(`Subject: slow\r\nContent-Type: text/plain\r\n\r\n${'\r\n'.repeat(4_000_000)}`)
    const from = performance.now()
    await scene.ping('backup', 'fail', { scheme: 'email', body })
    wake()
    await eventually(() => receiver.requests.length === urls.length)
    const tookMs = performance.now() - from
    assert.ok(tookMs < 40_000, `the alerts took ${tookMs} ms, as long as reading it for each`)
  })
})

test('an alert has a megabyte of a larger body: of an e-mail the beginning, else the end', async t => {
  const receiver = await openRecorder(t)
  await withScene(t, async (scene, start) => {
    await addWebhook(scene, 'A', {
      url_down: `${receiver.url}/`,
      method_down: 'POST',
      body_down: '$NAME $BODY',
    })
    const { wake } = start()
    const body = Buffer.from(`first${'x'.repeat(3_000_000)}last`)
    await scene.ping('mailed', 'fail', { scheme: 'email', body })
    await scene.ping('sent', 'fail', { body })
    await scene.ping('small', 'fail', { body: Buffer.from('all of it') })
    wake()
    await eventually(() => receiver.requests.length === 3)
  })
  const [mailed, sent, small] = receiver.requests.map(request => request.body).sort()
  assert.equal(mailed!.length, 'mailed '.length + 1_000_001)
  assert.ok(mailed!.startsWith('mailed firstx') && mailed!.endsWith('x'))
  assert.equal(sent!.length, 'sent '.length + 1_000_001)
  assert.ok(sent!.startsWith('sent x') && sent!.endsWith('xlast'))
  assert.equal(small, 'small all of it')
})
