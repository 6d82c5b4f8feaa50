/** Messages that cost money: what happens when a month's are used up. Real store, real dispatcher, recorded requests. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { testChannel } from '../../../src/actions/channels/test-channel.js'
import { deliveriesJob } from '../../../src/jobs/dispatch/deliveries.js'
import { claimMails } from '../../_support/claim-mails.js'
import { FakeClock } from '../../_support/clock.js'
import { eventually } from '../../_support/eventually.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { testDelivery } from '../../_support/worlds/delivery.js'
import { openTestStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const operator = { TWILIO_ACCOUNT: 'AC1', TWILIO_AUTH: 'secret', TWILIO_FROM: '+15550100' }

/** Alice's project with a channel of this kind, Bob as a member, and a dispatcher whose account has two messages. */
async function office(t: TestContext, kind: string, settings: Record<string, string>) {
  const receiver = await openRecorder(t, () => ({ status: 201, body: '{"sid": "SM1"}' }))
  const store = await openTestStore(t)
  const [alice, bob] = await Promise.all(
    ['alice@example.org', 'bob@example.org'].map(email =>
      store.people.createUser({ email, passwordHash: null, emailProven: true, now: 1 }),
    ),
  )
  const project = await store.projects.create({ name: 'Alpha', ownerId: alice!.id, pingKey: 'key', now: 1 })
  await store.projects.putMember({ projectId: project.id, userId: bob!.id, role: 'readonly', now: 1 })
  const clock = new FakeClock()
  const scene = new StoreHarness(store, project.id)
  scene.now = clock.now()
  const channel = await store.channels.create({
    projectId: project.id,
    name: 'Phone',
    kind,
    settings,
    members: [],
    now: clock.now(),
  })
  const outcomes: string[] = []
  const deps = {
    ...testDelivery(store, clock, { operator, routes: { 'https://api.twilio.com': receiver.url } }),
    quotas: { messages: 2, calls: 2 },
    onDelivery: ({ outcome, error = '' }: { outcome: string; error?: string }) =>
      outcomes.push(error || outcome),
  }
  const job = deliveriesJob({
    ...deps,
    changes: store.changes,
    onSetAside: ({ error }) => assert.fail(String(error)),
  })
  const tell = async (slug: string) => {
    const before = outcomes.length
    await scene.ping(slug, 'fail')
    store.changes.emit('deliveries', {})
    await eventually(() => outcomes.length > before)
  }
  const mails = () => claimMails(store, { now: clock.now() })
  return { clock, scene, receiver, channel, deps, job, outcomes, tell, mails }
}

test('messages above the monthly quota are not sent, and the project’s people get an e-mail', async t => {
  const { clock, scene, receiver, job, outcomes, tell, mails } = await office(t, 'sms', {
    phone: '+15550123',
    down: 'true',
    up: 'false',
  })
  job.start()
  try {
    for (const slug of ['one', 'two', 'three']) await tell(slug)
    assert.deepEqual(outcomes, ['sent', 'sent', 'Monthly SMS limit exceeded'])
    assert.equal(receiver.requests.length, 2)
    const queued = await mails()
    assert.deepEqual(queued.map(({ to }) => to).sort(), ['alice@example.org', 'bob@example.org'])
    assert.equal(queued[0]!.subject, 'Monthly SMS limit exceeded')
    assert.match(queued[0]!.text, /All 2 of January 2026 are used up, so this was not sent:/)
    assert.match(queued[0]!.text, /- three: DOWN since \d\d:\d\d UTC, failed/)
    await tell('three and a half')
    assert.equal(outcomes.at(-1), 'Monthly SMS limit exceeded')
    assert.equal((await mails()).length, 0, 'they are told once a day')
    clock.advance(31 * 86_400)
    scene.now = clock.now()
    await tell('four')
    assert.equal(outcomes.at(-1), 'sent', 'the next month begins anew')
  } finally {
    await job.stop()
  }
})

test('a test message counts against the quota, and says when it is used up', async t => {
  const { deps, channel } = await office(t, 'call', { phone: '+15550123' })
  const errors: string[] = []
  for (let time = 1; time <= 3; time++) errors.push((await testChannel(deps, channel.uuid))[0]!.error)
  assert.deepEqual(errors, ['', '', 'Monthly phone call limit exceeded'])
})
