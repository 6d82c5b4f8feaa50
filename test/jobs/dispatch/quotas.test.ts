/** Messages that cost money: what happens when a month's are used up. Real store, real dispatcher, recorded requests. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { testChannel } from '../../../src/actions/channels/test-channel.js'
import { composeQuotaMail } from '../../../src/actions/people/mail/compose-quota-mail.js'
import { deliveriesJob } from '../../../src/jobs/dispatch/deliveries.js'
import type { HeldCounts } from '../../../src/storage/alerts/messages.js'
import type { ClaimedMail } from '../../../src/storage/people/claim-mails.js'
import type { QuotaTrouble } from '../../../src/storage/people/unsent-alerts.js'
import { testWays } from '../../_support/alert.js'
import { claimMails } from '../../_support/claim-mails.js'
import { FakeClock } from '../../_support/clock.js'
import { eventually } from '../../_support/eventually.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { testDelivery } from '../../_support/worlds/delivery.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const operator = { TWILIO_ACCOUNT: 'AC1', TWILIO_AUTH: 'secret', TWILIO_FROM: '+15550100' }

type Mail = Pick<ClaimedMail, 'uuid' | 'attempts'> & { next: QuotaTrouble }

/** The checks that an e-mail names, in the order of their names. */
function namedIn({ text }: { text: string }) {
  return [...text.matchAll(/^- (.+): DOWN/gm)].map(([, name]) => name).sort()
}

/** Alice's project with a channel of this kind, Bob as a member, and a dispatcher whose account has two messages. */
async function office(t: TestContext, kind: string, settings: Record<string, string>) {
  const carrier = { status: 201 }
  const receiver = await openRecorder(t, () => ({ status: carrier.status, body: '{"sid": "SM1"}' }))
  const { store, raw, remove } = await openFreshStore()
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
  const addChannel = () =>
    store.channels.create({
      projectId: project.id,
      name: 'Phone',
      kind,
      settings,
      members: [],
      now: clock.now(),
    })
  const channel = await addChannel()
  const outcomes: string[] = []
  const deps = {
    ...testDelivery(store, clock, { operator, routes: { 'https://api.twilio.com': receiver.url } }),
    quotas: { messages: 2, calls: 2 },
    onDelivery: ({ outcome, error = '' }: { outcome: string; error?: string }) =>
      void outcomes.push(error || outcome),
    onHeld: ({ quota = 0, silence = 0 }: HeldCounts) => {
      for (let held = 0; held < quota + silence; held++) outcomes.push('held')
    },
  }
  const job = deliveriesJob({
    ...deps,
    changes: store.changes,
    onSetAside: ({ error }) => assert.fail(String(error)),
  })
  t.after(async () => {
    await job.stop()
    await remove()
  })
  job.start()
  /** Waits until `count` more deliveries have ended or are held. */
  const after = async (count: number, act: () => unknown) => {
    const before = outcomes.length
    await act()
    store.changes.emit('deliveries', {})
    await eventually(() => outcomes.length >= before + count)
    return outcomes.slice(before)
  }
  const tell = (slug: string, count = 1, signal: 'fail' | 'success' = 'fail') =>
    after(count, () => {
      scene.now = clock.now()
      return scene.ping(slug, signal)
    })
  /** The e-mails that are due, as they are sent now. */
  const mails = async () =>
    await Promise.all(
      (await claimMails(store, { now: clock.now() })).map(async mail => {
        const { words, next } = await composeQuotaMail(deps, mail.about as QuotaTrouble)
        return { ...mail, ...words, next }
      }),
    )
  const sentMail = ({ uuid, next, attempts }: Mail) => {
    const now = clock.now()
    const mayBounce = { startedAt: now, bouncesUntil: now + 5 * 86_400_000, attempts }
    return { worker: 'tests', uuid, outcome: 'sent' as const, mayBounce, next, now }
  }
  const sent = async (some: readonly Mail[]) => {
    for (const mail of some) await store.people.settleMail(sentMail(mail))
  }
  /** The process stops before it has settled these. */
  const sentAtStop = (some: readonly Mail[]) =>
    store.people.releaseMails(['tests'], clock.now(), some.map(sentMail))
  const sentLater = async ({ uuid }: Mail, retryAt: number) =>
    await store.people.settleMail({ worker: 'tests', uuid, outcome: { retryAt }, now: clock.now() })
  const errors = async (slug: string) => {
    const rows = await raw(
      `SELECT n.error FROM notifications n JOIN check_details d ON d.check_id = n.check_id WHERE d.slug = '${slug}' ORDER BY n.id`,
    )
    return rows.map(({ error }) => error)
  }
  const explain = async (slug: string) => {
    const [row] = await raw(
      `SELECT c.uuid FROM checks c JOIN check_details d ON d.check_id = c.id WHERE d.slug = '${slug}'`,
    )
    const { channels } = await store.incidents.explain(project.id, { uuid: String(row!.uuid) }, clock.now())
    return channels[0]!
  }
  const silence = (seconds: number) =>
    store.silences.create(project.id, {
      mode: 'hold',
      scope: { project: true },
      channels: null,
      times: { kind: 'once', from: clock.now(), to: clock.now() + seconds * 1_000 },
      reason: 'Night',
      createdBy: 'Alice',
      now: clock.now(),
    })
  return {
    clock,
    project,
    raw,
    silence,
    carrier,
    receiver,
    channel,
    addChannel,
    deps,
    after,
    tell,
    mails,
    sent,
    sentAtStop,
    sentLater,
    errors,
    explain,
  }
}

const phone = { phone: '+15550123', down: 'true', up: 'true' }

test('alerts above the monthly quota wait, and the next month begins with one message about them', async t => {
  const { clock, receiver, after, tell, errors, explain } = await office(t, 'sms', phone)
  for (const slug of ['one', 'two']) assert.deepEqual(await tell(slug), ['sent'])
  for (const slug of ['three', 'four', 'five']) assert.deepEqual(await tell(slug), ['held'])
  assert.deepEqual(await errors('three'), ['Monthly SMS limit exceeded'])
  const { waiting, last } = await explain('three')
  assert.deepEqual(
    waiting.map(({ status, heldBy, attempts }) => [status, heldBy, attempts]),
    [['down', 'quota', 0]],
  )
  assert.equal(last?.error, 'Monthly SMS limit exceeded')
  // What is over is dropped; the end of what was sent waits.
  assert.match(
    (await tell('five', 2, 'success')).join(),
    /^Superseded.*,Not sent: the check was up again before the hold ended$/,
  )
  assert.deepEqual(await tell('one', 1, 'success'), ['held'])
  clock.advance(86_400)
  assert.deepEqual(await errors('three'), ['Monthly SMS limit exceeded'], 'once')
  assert.equal(receiver.requests.length, 2)
  assert.deepEqual(await after(1, () => clock.advance(31 * 86_400)), ['sent'])
  assert.equal(receiver.requests.length, 3)
  const text = new URLSearchParams(String(receiver.requests[2]!.body)).get('Body')!
  assert.match(text, /2 checks of Alpha are DOWN, 1 is UP/)
  assert.deepEqual((await explain('three')).waiting, [])
})

test('each call above the quota waits by itself, and what is still down is called about', async t => {
  const { clock, receiver, after, tell } = await office(t, 'call', { phone: '+15550123' })
  for (const slug of ['one', 'two']) assert.deepEqual(await tell(slug), ['sent'])
  for (const slug of ['three', 'four', 'five']) assert.deepEqual(await tell(slug), ['held'])
  assert.deepEqual((await after(2, () => clock.advance(32 * 86_400))).slice(0, 2), ['sent', 'sent'])
  assert.equal(receiver.requests.length, 4)
})

test('of two channels that are alerted at once, the one that exceeds the quota waits', async t => {
  const { clock, deps, receiver, addChannel, after, tell } = await office(t, 'sms', phone)
  deps.quotas.messages = 1
  await addChannel()
  assert.deepEqual((await tell('one', 2)).sort(), ['held', 'sent'])
  assert.equal(receiver.requests.length, 1)
  await after(1, () => clock.advance(32 * 86_400))
  assert.equal(receiver.requests.length, 2)
})

test('alerts wait no longer once the limit is raised', async t => {
  const { clock, deps, after, tell } = await office(t, 'sms', phone)
  for (const slug of ['one', 'two', 'three']) await tell(slug)
  deps.quotas.messages = 3
  assert.deepEqual(await after(1, () => clock.advance(15 * 60)), ['sent'])
})

test('a message that is not tried any more is given back', async t => {
  const { carrier, clock, deps, project, raw, tell } = await office(t, 'sms', phone)
  carrier.status = 500
  for (const slug of ['one', 'two']) assert.match((await tell(slug)).join(), /500/)
  const used = async () => Number((await raw('SELECT used FROM quotas'))[0]!.used)
  assert.equal(await used(), 2)
  const [one] = await raw(
    `SELECT c.uuid FROM checks c JOIN check_details d ON d.check_id = c.id WHERE d.slug = 'one'`,
  )
  await deps.store.checks.delete(project.id, String(one!.uuid), clock.now())
  carrier.status = 201
  // The other one has its own, and is tried again when something has arrived.
  assert.deepEqual((await tell('three', 3)).sort(), ['sent', 'sent', 'unwanted'])
  assert.deepEqual(await tell('four'), ['held'])
  assert.equal(await used(), 2)
  assert.deepEqual(await raw('SELECT charged FROM counted_messages'), [])
})

test('messages that were combined into one are counted once when it arrives', async t => {
  const { carrier, channel, clock, deps, project, raw, receiver, after, tell } = await office(t, 'sms', phone)
  carrier.status = 500
  for (const slug of ['one', 'two']) assert.match((await tell(slug)).join(), /500/)
  assert.deepEqual(await tell('three'), ['held'])
  carrier.status = 201
  const { length } = receiver.requests
  const settings = { ...phone, phone: '+15550199' }
  const update = { id: channel.id, projectId: project.id, name: 'Phone', settings, members: [] }
  assert.deepEqual(await after(1, () => deps.store.channels.update({ ...update, now: clock.now() })), [
    'sent',
  ])
  assert.equal(receiver.requests.length, length + 1)
  assert.deepEqual(await tell('four'), ['sent'])
  assert.deepEqual(await tell('five'), ['held'])
  assert.equal(Number((await raw('SELECT used FROM quotas'))[0]!.used), 2)
})

test('the project’s people get an e-mail a day about what exceeds the quota', async t => {
  const { clock, tell, mails, sent } = await office(t, 'sms', phone)
  for (const slug of ['one', 'two', 'three']) await tell(slug)
  const first = await mails()
  assert.deepEqual(first.map(({ to }) => to).sort(), ['alice@example.org', 'bob@example.org'])
  assert.equal(first[0]!.subject, 'Monthly SMS limit exceeded')
  assert.match(first[0]!.text, /All 2 of January 2026 are used up, so this was not sent:/)
  assert.match(first[0]!.text, /- three: DOWN since \d\d:\d\d UTC, failed/)
  await sent(first)
  clock.advance(3_600)
  for (const slug of ['four', 'five']) await tell(slug)
  await tell('four', 2, 'success')
  assert.equal((await mails()).length, 0, 'only one a day')
  clock.advance(23 * 3_600)
  const second = await mails()
  assert.equal(second.length, 2)
  assert.doesNotMatch(second[0]!.text, /three/)
  assert.match(second[0]!.text, /- four: DOWN since .*; it is UP now/)
  assert.match(second[0]!.text, /- five: DOWN/)
})

test('what exceeds the quota after a burst is named the next day', async t => {
  const { clock, deps, tell, mails, sent } = await office(t, 'sms', phone)
  for (const slug of ['one', 'two', 'three', 'four', 'five']) await tell(slug)
  const first = await mails()
  assert.deepEqual(first.map(namedIn), Array(2).fill(['five', 'four', 'three']))
  await sent(first)
  assert.equal((await deps.store.instance.state(clock.now())).mails, 0, 'the next one is not late')
  for (const slug of ['six', 'seven']) {
    clock.advance(3_600)
    await tell(slug)
  }
  clock.advance(22 * 3_600)
  const second = await mails()
  assert.deepEqual(second.map(namedIn), Array(2).fill(['seven', 'six']))
  await sent(second)
  clock.advance(86_400)
  assert.deepEqual(await mails(), [], 'nothing more has')
  clock.advance(3_600)
  await tell('eight')
  assert.deepEqual((await mails()).map(namedIn), Array(2).fill(['eight']), 'at once')
})

test('what exceeds the quota while an e-mail is sent is named in the next one', async t => {
  const { clock, tell, mails, sent } = await office(t, 'sms', phone)
  for (const slug of ['one', 'two', 'three']) await tell(slug)
  const first = await mails()
  await tell('four')
  // A transaction that ends after the e-mail was composed has begun before.
  clock.advance(-10)
  await tell('five')
  clock.advance(10)
  await sent(first)
  clock.advance(86_400)
  assert.deepEqual((await mails()).map(namedIn), Array(2).fill(['five', 'four']))
})

test('a person whose e-mail was sent later than those of others is sent the next one, too', async t => {
  const { clock, tell, mails, sent, sentLater } = await office(t, 'sms', phone)
  for (const slug of ['one', 'two', 'three']) await tell(slug)
  const [alice, bob] = await mails()
  await sent([alice!])
  await sentLater(bob!, clock.now() + 7_200_000)
  clock.advance(3_600)
  await tell('four')
  clock.advance(3_600)
  const [late] = await mails()
  assert.deepEqual(namedIn(late!), ['four', 'three'])
  await sent([late!])
  clock.advance(3_600)
  await tell('five')
  clock.advance(86_400)
  const next = await mails()
  assert.deepEqual(next.map(namedIn).sort(), [['five'], ['five', 'four']])
})

test('an e-mail that is settled when the process stops is followed by the next one', async t => {
  const { clock, tell, mails, sentAtStop } = await office(t, 'sms', phone)
  for (const slug of ['one', 'two', 'three']) await tell(slug)
  await sentAtStop(await mails())
  await tell('four')
  assert.deepEqual(await mails(), [], 'only one a day')
  clock.advance(86_400)
  assert.deepEqual((await mails()).map(namedIn), Array(2).fill(['four']))
})

test('what a silence holds in the meantime exceeds the quota only once', async t => {
  const { clock, after, tell, mails, sent, errors, silence } = await office(t, 'sms', phone)
  for (const slug of ['one', 'two', 'three']) await tell(slug)
  await sent(await mails())
  await silence(3_600)
  await after(1, () => clock.advance(900))
  await after(1, () => clock.advance(3_600))
  assert.deepEqual(await errors('three'), ['Monthly SMS limit exceeded'])
  clock.advance(86_400)
  assert.deepEqual(await mails(), [])
})

test('an e-mail names nothing that was sent before its turn', async t => {
  const { clock, after, tell, mails, sent } = await office(t, 'sms', phone)
  clock.advance(26 * 86_400)
  for (const slug of ['one', 'two', 'three']) await tell(slug)
  await sent(await mails())
  await tell('four')
  assert.deepEqual(await after(1, () => clock.advance(12 * 3_600)), ['sent'], 'the month has begun')
  clock.advance(12 * 3_600)
  assert.deepEqual(await mails(), [])
})

test('an e-mail does not name what was sent after its channel was enabled again', async t => {
  const { clock, deps, channel, errors, tell, mails, sent } = await office(t, 'sms', phone)
  for (const slug of ['one', 'two', 'three']) await tell(slug)
  await sent(await mails())
  clock.advance(3_600)
  for (const slug of ['four', 'five']) await tell(slug)
  await deps.store.channels.setEnabled(channel.id, false, clock.now())
  await tell('five', 0, 'success')
  deps.quotas.messages = 10
  await deps.store.channels.setEnabled(channel.id, true, clock.now())
  clock.advance(1)
  deps.store.changes.emit('deliveries', {})
  await eventually(async () => (await errors('four')).at(-1) === '')
  clock.advance(86_400)
  assert.deepEqual((await mails()).map(namedIn), Array(2).fill(['five']))
})

test('an e-mail names an alert that was sent if its repeat exceeds the quota', async t => {
  const { clock, raw, tell, mails } = await office(t, 'sms', phone)
  for (const slug of ['one', 'two']) await tell(slug)
  clock.advance(3_600)
  await raw(`INSERT INTO notifications
      (uuid, delivery_uuid, channel_id, check_id, flip_id, check_status, attempt, created_at, error)
    SELECT 'repeat', 'repeat', channel_id, check_id, flip_id, check_status, 1, ${clock.now()}, 'Monthly SMS limit exceeded'
    FROM notifications WHERE error = '' ORDER BY id LIMIT 1`)
  await tell('three')
  assert.deepEqual((await mails()).map(namedIn), Array(2).fill(['one', 'three']))
})

test('an e-mail about alerts of checks that were moved since is withdrawn', async t => {
  const { clock, deps, project, raw, tell, mails } = await office(t, 'sms', phone)
  for (const slug of ['one', 'two', 'three']) await tell(slug)
  const { store } = deps
  const other = await store.projects.create({ name: 'Beta', ownerId: null, pingKey: 'other', now: 1 })
  const [three] = await raw(
    `SELECT c.uuid FROM checks c JOIN check_details d ON d.check_id = c.id WHERE d.slug = 'three'`,
  )
  const move = { projectId: project.id, uuid: String(three!.uuid), targetId: other.id, now: clock.now() }
  await store.checks.move(move)
  assert.deepEqual(await mails(), [])
  await tell('four')
  assert.deepEqual((await mails()).map(namedIn), Array(2).fill(['four']))
})

test('an e-mail that came back names what came since, and the next one does not name it again', async t => {
  const { clock, deps, tell, mails, sent } = await office(t, 'sms', phone)
  const bounce = async (some: readonly { uuid: string }[]) => {
    const now = clock.now()
    for (const { uuid } of some)
      assert.equal(await deps.store.people.noteMailBounced({ uuid, signedAt: now, now }), true)
  }
  for (const slug of ['one', 'two', 'three']) await tell(slug)
  const first = await mails()
  await sent(first)
  clock.advance(7_200)
  await tell('four')
  await bounce(first)
  clock.advance(7_200)
  const again = await mails()
  assert.deepEqual(again.map(namedIn), Array(2).fill(['four', 'three']))
  await sent(again)
  clock.advance(7_200)
  await tell('five')
  clock.advance(18 * 3_600)
  const next = await mails()
  assert.deepEqual(next.map(namedIn), Array(2).fill(['five']))
  await bounce(first)
  await sent(next)
  clock.advance(6 * 3_600)
  const late = await mails()
  assert.deepEqual(late.map(namedIn), Array(2).fill(['five', 'four', 'three']), 'which came back again')
})

test('what exceeds the quota after the clock was set back is named, and nothing twice', async t => {
  const { clock, deps, tell, mails, sent } = await office(t, 'sms', phone)
  const beat = () => deps.store.instance.beat('me', clock.now())
  clock.advance(86_400)
  for (const slug of ['one', 'two', 'three']) await tell(slug)
  await sent(await mails())
  clock.advance(3_600)
  await tell('four')
  clock.advance(23 * 3_600)
  const second = await mails()
  assert.deepEqual(second.map(namedIn), Array(2).fill(['four']))
  await sent(second.slice(0, 1))
  await tell('five')
  await beat()
  clock.advance(-2 * 86_400)
  await beat()
  await sent(second.slice(1))
  await tell('six')
  clock.advance(86_400)
  const [first, late] = (await mails()).map(namedIn).sort((a, b) => a.length - b.length)
  assert.deepEqual(first, ['five', 'six'])
  assert.ok(late?.includes('six'), 'whose e-mail was settled by the new clock')
})

test('an e-mail about what exceeds the quota is tried for as long as any of that waits', async t => {
  const { clock, tell, after, mails, sentLater } = await office(t, 'sms', phone)
  for (const slug of ['one', 'two', 'three']) await tell(slug)
  for (let day = 0; day < 5; day++) {
    const waiting = await mails()
    assert.equal(waiting.length, 2, `each waits on day ${day}`)
    for (const mail of waiting) await sentLater(mail, clock.now() + 86_400_000)
    await tell(`of day ${day}`)
    clock.advance(86_400)
  }
  const [last] = await mails()
  for (const name of ['three', 'of day 0', 'of day 4'])
    assert.match(last!.text, new RegExp(`- ${name}: DOWN`))
  await after(1, () => clock.advance(31 * 86_400))
  assert.deepEqual(await mails(), [], 'nothing waits any more')
})

test('a test message counts against the quota, and says when it is used up', async t => {
  const { deps, channel } = await office(t, 'call', { phone: '+15550123' })
  const errors: string[] = []
  for (let time = 1; time <= 3; time++) errors.push((await testChannel(deps, channel.uuid))[0]!.error)
  assert.deepEqual(errors, ['', '', 'Monthly phone call limit exceeded'])
})

test('a test message that the carrier refuses, or that is not sent, uses up nothing', async t => {
  const { carrier, receiver, channel, raw, ...rest } = await office(t, 'call', { phone: '+15550123' })
  const routes = { 'https://api.twilio.com': receiver.url }
  const transports: typeof rest.deps.transports = (signal, begins = () => {}) =>
    testWays(null, { signal, begins, routes })
  const deps = { ...rest.deps, transports }
  const test = async (some = deps) => (await testChannel(some, channel.uuid))[0]!.error
  const used = async () => Number((await raw('SELECT used FROM quotas'))[0]!.used)
  carrier.status = 500
  assert.match(await test(), /500/)
  assert.equal(await used(), 0)
  assert.match(await test({ ...deps, operator: {} }), /not enabled/)
  assert.equal(await used(), 0)
  carrier.status = 504
  assert.match(await test(), /504/)
  assert.equal(await used(), 1, 'it may have arrived')
})

test('an e-mail says that a limit of zero allows none', async t => {
  const { deps, tell, mails } = await office(t, 'sms', phone)
  deps.quotas.messages = 0
  await tell('one')
  assert.match((await mails())[0]!.text, /None can be sent: the limit is 0, so this was not sent:/)
})

test('an e-mail that could not be sent for days names what waits for something else by then', async t => {
  const { clock, after, tell, mails, sentLater, silence } = await office(t, 'sms', phone)
  for (const slug of ['one', 'two', 'three', 'four']) await tell(slug)
  const later = clock.now() + 50 * 3_600_000
  for (const mail of await mails()) await sentLater(mail, later)
  clock.advance(49 * 3_600)
  await tell('three', 2, 'success')
  await silence(86_400)
  await after(1, () => clock.advance(3_600))
  const [mail] = await mails()
  assert.deepEqual(namedIn(mail!), ['four', 'three'])
})
