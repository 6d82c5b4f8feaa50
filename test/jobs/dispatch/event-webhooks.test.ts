import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { type TestContext, test } from 'node:test'
import { EventFeed } from '../../../src/actions/events/event-feed.js'
import { sendEvents } from '../../../src/actions/events/send-events.js'
import { createTransports } from '../../../src/integrations/create-transports.js'
import { eventWebhooksJob, REQUEST_LIMITS } from '../../../src/jobs/dispatch/event-webhooks.js'
import { isPublicAddress } from '../../../src/lib/http/public-address.js'
import type { SafeFetch } from '../../../src/lib/http/safe-fetch.js'
import { sealWebhookSecret } from '../../../src/lib/secrets/webhook-secret.js'
import type { Store } from '../../../src/storage/store.js'
import { FakeClock } from '../../_support/clock.js'
import { eventually } from '../../_support/eventually.js'
import { giveUpWebhook } from '../../_support/give-up-webhook.js'
import { openFetch } from '../../_support/servers/fetching.js'
import { openRecorder, type RecordedRequest } from '../../_support/servers/recorder.js'
import { openFreshStore } from '../../_support/worlds/store.js'

const KEY = 'k'.repeat(50)
const SECRET = 'whsec_test'
const never = new AbortController().signal
const MAIL = { kind: 'notice' as const, subject: 'Disabled', text: '', html: '', unsubscribeUrl: '' }
let made = 0

async function openScene(t: TestContext) {
  const fresh = await openFreshStore()
  t.after(fresh.remove)
  const clock = new FakeClock()
  const now = clock.now()
  const owner = await fresh.store.people.createUser({
    email: 'a@example.org',
    passwordHash: null,
    emailProven: true,
    now,
  })
  const project = await fresh.store.projects.create({ name: 'P', ownerId: owner.id, pingKey: null, now })
  const depsOn = (store: Store, fetch: SafeFetch = openFetch()) => ({
    store,
    clock,
    secretKeys: [KEY] as const,
    transports: (signal?: AbortSignal, begins?: () => void) =>
      createTransports({ fetch, mailer: null, run: null as never }, signal, begins),
    composeDisabled: () => MAIL,
  })
  /** Waits until all events are final: on PostgreSQL transactions of other tests hold them back. Returns the last ID. */
  const settled = async (feed: EventFeed) => {
    const [newest] = await fresh.raw('SELECT coalesce(max(id), 0) AS id FROM events')
    return await eventually(async () => {
      const reached = await feed.final()
      return reached >= Number(newest!.id) && Math.max(reached, 1)
    })
  }
  return {
    fresh,
    clock,
    project,
    depsOn,
    settled,
    /** Adds a check, which is one event. */
    change: async (name: string, projectId = project.id) =>
      await fresh.store.checks.create(projectId, { changes: { name }, unique: null, now: clock.now() }),
    async addProjects(count: number): Promise<number[]> {
      const ids = []
      for (let made = 0; made < count; made++) {
        const { id } = await fresh.store.projects.create({ name: 'P', ownerId: null, pingKey: null, now })
        ids.push(id)
      }
      return ids
    },
    async add(url: string, types: 'check.created'[] = ['check.created'], projectId = project.id) {
      const uuid = `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`
      const secret = sealWebhookSecret(KEY, uuid, SECRET)
      const asked = { name: 'Ops', url, types, enabled: true, uuid, secret, by: null, now: clock.now() }
      await fresh.store.events.createWebhook(projectId, asked)
      return await fresh.store.events.webhook(projectId, uuid)
    },
    async send(id: number, { store = fresh.store, signal = never, fetch = openFetch() } = {}) {
      const feed = new EventFeed({ store, changes: store.changes, onError: assert.ifError })
      const final = await settled(feed)
      await sendEvents(depsOn(store, fetch), id, { worker: `w${++made}`, final, signal })
    },
  }
}

const names = (requests: readonly RecordedRequest[]) =>
  requests.map(({ body }) => JSON.parse(body).object.name as string)

test('events after the creation are sent in order, signed, and only those of the types', async t => {
  const scene = await openScene(t)
  const receiver = await openRecorder(t)
  await scene.change('before')
  const { id, uuid } = await scene.add(receiver.url)
  for (const name of ['one', 'two', 'three']) await scene.change(name)
  await scene.send(id)
  await scene.send(id)
  assert.deepEqual(names(receiver.requests), ['one', 'two', 'three'])
  const { headers, body } = receiver.requests[0]!
  const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['punctual-signature']))!
  assert.equal(signature, createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex'))
  assert.equal(headers['punctual-event'], 'check.created')
  assert.equal(headers['punctual-delivery'], JSON.parse(body).id)
  assert.equal('address' in (JSON.parse(body).actor ?? {}), false)
  const webhook = await scene.fresh.store.events.webhook(scene.project.id, uuid)
  assert.deepEqual([webhook.failures, (await scene.fresh.store.events.webhookAttempts(id)).length], [0, 3])
  assert.ok(!webhook.secret.includes(SECRET))
})

test('a failure keeps everything behind it, and three days of failures disable the webhook', async t => {
  const scene = await openScene(t)
  let status = 500
  const receiver = await openRecorder(t, () => ({ status }))
  const { id, uuid } = await scene.add(receiver.url)
  await scene.change('one')
  await scene.change('two')
  await scene.send(id)
  await scene.send(id)
  assert.equal(receiver.requests.length, 1)
  scene.clock.advance(5)
  status = 200
  await scene.send(id)
  assert.deepEqual(names(receiver.requests), ['one', 'one', 'two'])
  status = 500
  await scene.change('three')
  await scene.send(id)
  const { store, raw } = scene.fresh
  const due = scene.clock.now() + 5_000
  scene.clock.advance(((await giveUpWebhook(store, id, due, MAIL)) - scene.clock.now()) / 1_000)
  assert.equal((await store.events.webhook(scene.project.id, uuid)).enabled, false)
  const events = await raw("SELECT object_id FROM events WHERE type = 'webhook.disabled'")
  assert.deepEqual(events, [{ object_id: uuid }])
  assert.equal((await raw('SELECT subject FROM mails')).length, 1)
  await store.events.updateWebhook(scene.project.id, uuid, {
    enabled: true,
    by: null,
    now: scene.clock.now(),
  })
  status = 200
  await scene.send(id)
  assert.equal(names(receiver.requests).at(-1), 'three')
})

test('after a restart in the middle of a request, that event is sent again and none is lost', async t => {
  const scene = await openScene(t)
  const receiver = await openRecorder(t)
  const { id } = await scene.add(receiver.url)
  for (const name of ['one', 'two', 'three']) await scene.change(name)
  const dying = openFetch()
  let sent = 0
  const fetch: SafeFetch = async (request, signal, begins) => {
    const answer = await dying(request, signal, begins)
    if (++sent === 2) await scene.fresh.reopen()
    return answer
  }
  await assert.rejects(scene.send(id, { fetch }))
  assert.deepEqual(names(receiver.requests), ['one', 'two'])
  await scene.send(id)
  assert.equal(receiver.requests.length, 2, 'the lease of the process that ended still runs')
  scene.clock.advance(61)
  await scene.send(id)
  assert.deepEqual(names(receiver.requests), ['one', 'two', 'two', 'three'])
})

test('a process whose lease was taken over moves no cursor', async t => {
  const scene = await openScene(t)
  const receiver = await openRecorder(t)
  const other = await scene.fresh.openAnother()
  t.after(() => other.close())
  const { id } = await scene.add(receiver.url)
  await scene.change('one')
  const slow = openFetch()
  const fetch: SafeFetch = async (request, signal, begins) => {
    const answer = await slow(request, signal, begins)
    scene.clock.advance(61)
    await scene.send(id, { store: other })
    await scene.change('two')
    return answer
  }
  await scene.send(id, { fetch })
  assert.deepEqual(names(receiver.requests), ['one', 'one'])
  await scene.send(id)
  assert.deepEqual(names(receiver.requests), ['one', 'one', 'two'])
})

test('redirects are not followed, and private addresses are refused', async t => {
  const scene = await openScene(t)
  const target = await openRecorder(t)
  const receiver = await openRecorder(t, () => ({ status: 307, headers: { location: target.url } }))
  const { id } = await scene.add(receiver.url)
  await scene.change('one')
  await scene.send(id)
  scene.clock.advance(5)
  await scene.send(id, { fetch: openFetch({ permits: isPublicAddress }) })
  const attempts = await scene.fresh.store.events.webhookAttempts(id)
  assert.deepEqual(
    attempts.map(({ error }) => error),
    ['Connections to private IP addresses are not allowed', 'The answer was 307'],
  )
  assert.deepEqual([receiver.requests.length, target.requests.length], [1, 0])
})

test('a webhook that is deleted or disabled while it is sent to gets nothing more', async t => {
  const scene = await openScene(t)
  const { store } = scene.fresh
  for (const ending of ['delete', 'disable']) {
    const receiver = await openRecorder(t)
    const { id, uuid } = await scene.add(receiver.url)
    await scene.change('one')
    await scene.change('two')
    const plain = openFetch()
    const by = { by: null, now: scene.clock.now() }
    const fetch: SafeFetch = async (request, signal, begins) => {
      const answer = await plain(request, signal, begins)
      if (ending === 'delete') await store.events.deleteWebhook(scene.project.id, uuid, by)
      else await store.events.updateWebhook(scene.project.id, uuid, { enabled: false, ...by })
      return answer
    }
    await scene.send(id, { fetch })
    await scene.send(id)
    assert.deepEqual(names(receiver.requests), ['one'])
  }
})

test('a receiver that hangs delays no other project', async t => {
  const scene = await openScene(t)
  const { store } = scene.fresh
  const hanging = await openRecorder(t, () => undefined)
  const receiver = await openRecorder(t)
  const now = scene.clock.now()
  const other = await store.projects.create({ name: 'Other', ownerId: null, pingKey: null, now })
  for (let count = 0; count < 10; count++) await scene.add(hanging.url)
  await scene.add(receiver.url, ['check.created'], other.id)
  const events = new EventFeed({ store, changes: store.changes, onError: assert.ifError })
  const deps = {
    ...scene.depsOn(store),
    events,
    changes: store.changes,
    worker: 'w',
    onError: assert.ifError,
  }
  const job = eventWebhooksJob(deps)
  job.start()
  await scene.change('hers')
  await eventually(() => hanging.requests.length === 2)
  await scene.change('his', other.id)
  await eventually(() => names(receiver.requests).join() === 'his')
  await job.stop()
  assert.equal(hanging.requests.length, 2)
})

/** A job that notes which hosts it asks; requests to hosts with "hangs" in their names are answered when `answer` aborts. */
function openJob(
  { fresh, depsOn, settled }: Awaited<ReturnType<typeof openScene>>,
  limits: Partial<typeof REQUEST_LIMITS> = {},
  dueWebhooks = fresh.store.events.dueWebhooks,
) {
  const store = { ...fresh.store, events: { ...fresh.store.events, dueWebhooks } }
  const asked: string[] = []
  const [answer, ended] = [new AbortController(), new AbortController()]
  setMaxListeners(0, answer.signal, ended.signal)
  /** Not until the time limit of a request: a busy machine takes longer to begin as many as a test waits for. */
  const hang = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const isTimeLimit = () => signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
      answer.signal.addEventListener('abort', () => resolve())
      ended.signal.addEventListener('abort', () => reject(signal.reason))
      signal.addEventListener('abort', () => isTimeLimit() || reject(signal.reason))
    })
  const transports = (signal: AbortSignal) => ({
    async http({ url }: { url: string }) {
      const { hostname } = new URL(url)
      asked.push(hostname)
      if (hostname.includes('hangs') && !answer.signal.aborted) await hang(signal)
      return { status: 200 }
    },
  })
  const events = new EventFeed({ store, changes: store.changes, onError: assert.ifError })
  const about = { events, changes: store.changes, worker: 'w', onError: assert.ifError }
  const deps = { ...depsOn(store), transports: transports as never, ...about }
  const job = eventWebhooksJob(deps, { ...REQUEST_LIMITS, ...limits })
  return {
    asked,
    answer,
    async stop() {
      const stopped = job.stop()
      ended.abort()
      await stopped
    },
    /** Starts it when everything that has happened may be sent. */
    async start() {
      await settled(events)
      job.start()
    },
  }
}

/** Nothing becomes slow while a test runs. */
const NEVER_SLOW = { slowAfterMs: 1_000_000 }

test('receivers of 70 projects that hang delay no project whose receiver answers', async t => {
  const scene = await openScene(t)
  const { asked, answer, start, stop } = openJob(scene, NEVER_SLOW)
  await scene.add('https://answers.example.org/')
  await start()
  await scene.change('first')
  await eventually(() => asked.length === 1)
  for (const id of await scene.addProjects(70)) {
    for (let hooks = 0; hooks < 2; hooks++) await scene.add('https://hangs.example.org/', undefined, id)
    await scene.change('one', id)
  }
  const hanging = () => asked.filter(host => host === 'hangs.example.org').length
  await eventually(
    () => hanging() === REQUEST_LIMITS.prompt.unknown,
    () => `${hanging()} requests hang`,
  )
  await scene.change('second')
  await eventually(() => asked.at(-1) === 'answers.example.org')
  assert.equal(hanging(), REQUEST_LIMITS.prompt.unknown, 'all of them are still held')
  answer.abort()
  await eventually(() => hanging() === 140)
  await stop()
})

test('after a restart, a webhook has the places of those that answer as its last request did', async t => {
  const scene = await openScene(t)
  const before = openJob(scene)
  const others = await scene.addProjects(2)
  for (const id of others) await scene.add('https://hangs.example.org/', undefined, id)
  await scene.add('https://answers.example.org/')
  await before.start()
  await scene.change('first')
  await eventually(() => before.asked.length === 1)
  await before.stop()
  for (const id of others) await scene.change('one', id)
  await scene.change('second')
  const { asked, start, stop } = openJob(scene, { ...NEVER_SLOW, prompt: { prompt: 1, late: 1, unknown: 1 } })
  await start()
  await eventually(() => asked.length === 2)
  assert.deepEqual(asked.toSorted(), ['answers.example.org', 'hangs.example.org'])
  await stop()
})

test('while projects wait for places, a webhook leaves its place after each event', async t => {
  const scene = await openScene(t)
  const [other] = await scene.addProjects(1)
  await scene.add('https://hers.example.org/')
  await scene.add('https://his.example.org/', undefined, other)
  const before = openJob(scene)
  await before.start()
  await scene.change('first')
  await scene.change('first', other)
  await eventually(() => before.asked.length === 2)
  await before.stop()
  for (const name of ['one', 'two', 'three']) await scene.change(name)
  await scene.change('one', other)
  const { store, raw } = scene.fresh
  // It looks for others only between turns, and never between two requests.
  const dueWebhooks: typeof store.events.dueWebhooks = async query => {
    const claimed = 'SELECT id FROM event_webhooks WHERE claimed_by IS NOT NULL'
    await eventually(async () => (await raw(claimed)).length === 0)
    return await store.events.dueWebhooks(query)
  }
  const few = { ...NEVER_SLOW, prompt: { prompt: 1, late: 1, unknown: 1 } }
  const { asked, start, stop } = openJob(scene, few, dueWebhooks)
  await start()
  await eventually(() => asked.length === 4)
  assert.deepEqual(
    asked.map(host => host.split('.')[0]),
    ['hers', 'his', 'hers', 'hers'],
  )
  await stop()
})

test('slow requests leave their places to others, and if there are too many, one is aborted', async t => {
  const scene = await openScene(t)
  const { store } = scene.fresh
  const ids: number[] = []
  for (const id of [scene.project.id, ...(await scene.addProjects(1))]) {
    ids.push((await scene.add('https://hangs.example.org/', undefined, id)).id)
    await scene.change('one', id)
  }
  const few = { prompt: { prompt: 1, late: 1, unknown: 1 }, slowAfterMs: 50, slow: 1 }
  const { asked, start, stop } = openJob(scene, few)
  await start()
  const errors = async () => {
    const attempts = await Promise.all(ids.map(id => store.events.webhookAttempts(id)))
    return attempts.flat().map(({ error }) => error)
  }
  await eventually(async () => (await errors()).length > 0)
  const [error, ...others] = await errors()
  assert.match(error!, /^No answer within \d+ s$/)
  assert.deepEqual([others.length, asked.length], [0, 2])
  await stop()
})

/** More events than a webhook sends before it leaves its place. */
const BACKLOG = 80

test('the webhooks of a project take turns, however they answer', async t => {
  const scene = await openScene(t)
  const { store } = scene.fresh
  const ids = [(await scene.add('https://a.example.org/')).id, (await scene.add('https://b.example.org/')).id]
  const first = openJob(scene, NEVER_SLOW)
  await scene.change('known as prompt')
  await first.start()
  for (const id of ids) await eventually(async () => (await store.events.webhookAttempts(id)).length === 1)
  await first.stop()
  await scene.add('https://third.example.org/')
  for (let n = 0; n < BACKLOG; n++) await scene.change(`backlog ${n}`)
  const second = openJob(scene, NEVER_SLOW)
  await second.start()
  await eventually(() => second.asked.length === 3 * BACKLOG)
  await second.stop()
  const place = second.asked.indexOf('third.example.org')
  // The others have sent as many events as a place is kept for, and not all.
  assert.ok(place < 2 * BACKLOG, `its first request was number ${place}`)
})

test('a request that is cut off before it is sent is no failure, and its webhook stays due', async t => {
  const scene = await openScene(t)
  const { store } = scene.fresh
  const { id } = await scene.add('https://hangs.example.org/')
  let timesDue = 0
  const dueWebhooks: typeof store.events.dueWebhooks = async query => {
    const due = await store.events.dueWebhooks(query)
    timesDue += due.length
    return due
  }
  const { asked, start, stop } = openJob(scene, { slowAfterMs: 50, slow: 0 }, dueWebhooks)
  const attempts = async () => (await store.events.webhookAttempts(id)).length
  await scene.change('one')
  await start()
  await eventually(async () => (await attempts()) === 1)
  const before = timesDue
  scene.clock.advance(5)
  await eventually(async () => timesDue >= before + 2 || (await attempts()) > 1)
  await stop()
  assert.deepEqual([asked.length, await attempts()], [1, 1])
})

test('a webhook of a project that is being deleted is sent nothing', async t => {
  const scene = await openScene(t)
  const { store, raw } = scene.fresh
  const { id } = await scene.add('https://example.org/')
  await scene.change('one')
  const query = { now: scene.clock.now(), final: 1_000_000, after: 0, limit: 10, not: [] }
  assert.deepEqual(await store.events.dueWebhooks(query), [
    { id, projectId: scene.project.id, answeredWithin: null },
  ])
  await raw(`UPDATE projects SET deleting = 1 WHERE id = ${scene.project.id}`)
  assert.deepEqual(await store.events.dueWebhooks(query), [])
  const lease = { worker: 'w', now: scene.clock.now(), leaseUntil: scene.clock.now() + 60_000 }
  assert.equal(await store.events.claimWebhook(id, lease), null)
})

test('due webhooks are read in pages, with how long their last requests took if those arrived', async t => {
  const scene = await openScene(t)
  const { store } = scene.fresh
  let status = 200
  const receiver = await openRecorder(t, () => ({ status }))
  const hooks = [await scene.add(receiver.url), await scene.add('https://never.example.org/')]
  const [first, second] = hooks.map(({ id }) => id)
  const due = async (after: number, limit: number) => {
    await scene.change('one')
    const asked = { now: scene.clock.now(), final: 1_000_000, after, limit, not: [] }
    return await store.events.dueWebhooks(asked)
  }
  await scene.change('one')
  await scene.send(first!)
  const [answered] = await due(0, 1)
  assert.deepEqual([answered!.id, typeof answered!.answeredWithin], [first, 'number'])
  assert.deepEqual(await due(first!, 10), [{ id: second, projectId: scene.project.id, answeredWithin: null }])
  status = 500
  await scene.send(first!)
  scene.clock.advance(5)
  assert.deepEqual(
    (await due(0, 10)).map(({ id, answeredWithin }) => [id, answeredWithin]),
    [
      [first, null],
      [second, null],
    ],
  )
})
