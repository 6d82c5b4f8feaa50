/** How long an e-mail is tried while the mail server is away. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type BounceEvent, noteBounce } from '../../../src/actions/alerts/note-bounce.js'
import { sendQueuedMail } from '../../../src/actions/people/mail/send-queued-mail.js'
import { MailError } from '../../../src/lib/mail/mail-error.js'
import type { Mailer } from '../../../src/lib/mail/mailer.js'
import { claimMails } from '../../_support/claim-mails.js'
import { HOUR_MS, openFailingChannel, TITLES } from '../../_support/worlds/failing-channel.js'

const AWAY = new MailError('The mail server answered: 451 later', false, false, null)
const UNKNOWN = new MailError('The mail server answered: 550 5.1.1 unknown', true, true, null)

const LEASE_MS = 240_000

/** A project whose channel A fails, and a mail server that fails with `error` until that is null. */
async function openMailServerAway(t: TestContext) {
  const opened = await openFailingChannel(t)
  const { scene, store } = opened
  const sent: string[] = []
  const outcomes: string[] = []
  const server: { error: MailError | null } = { error: AWAY }
  const tokens: string[] = []
  /** What happens after the mail server has accepted an e-mail and before its answer is read. */
  const beforeAnswer: (() => Promise<void>)[] = []
  const mailer: Mailer = {
    async send({ to, subject, bounceId }) {
      scene.now += 10
      if (server.error) throw server.error
      sent.push(`${to}: ${subject}`)
      tokens.push(bounceId!)
      await beforeAnswer.shift()?.()
      scene.now += 10
    },
  }
  const deps = {
    store,
    site: { name: 'Punctual', root: 'http://localhost:8000' },
    quotas: { messages: 500, calls: 500 },
    settle: store.people.settleMail,
    clock: { now: () => scene.now },
    mailer,
    secretKey: 'secret',
    hearsBounces: true,
    worker: 'me',
    onError: assert.ifError,
    onMail: ({ outcome }: { outcome: string }) => void outcomes.push(outcome),
  }
  const { signal } = new AbortController()
  const signals = { stop: signal, cutOff: signal }
  const sendDue = async () => {
    const leaseUntil = scene.now + LEASE_MS
    for (const mail of await claimMails(store, { worker: 'me', now: scene.now, leaseUntil })) {
      scene.now += 10
      await sendQueuedMail(deps, mail, signals, { handedOver() {}, end() {} })
    }
  }
  /** Sends what is due each half hour. */
  const pass = async (hours: number) => {
    for (const end = scene.now + hours * HOUR_MS; scene.now < end; scene.now += HOUR_MS / 2) await sendDue()
  }
  const events: BounceEvent[] = []
  const bounceDeps = {
    ...opened.deps,
    secretKeys: ['secret'],
    envelopeTemplate: '%s@bounces.example.org',
    onBounce: (event: BounceEvent) => void events.push(event),
  }
  /** The newest e-mail, or the one with this token, comes back. */
  const bounce = (status: string, token = tokens.at(-1)) =>
    noteBounce(bounceDeps, { to: `${token}@bounces.example.org`, text: `Status: ${status}` }, scene.now)
  return { ...opened, server, sent, outcomes, sendDue, pass, bounce, beforeAnswer, tokens, events }
}

for (const trouble of ['disabled', 'unreachable'] as const) {
  test(`that a channel is ${trouble} is sent when the mail server is back after days`, async t => {
    const { scene, store, server, sent, outcomes, add, fail, pass } = await openMailServerAway(t)
    await add('webhook')
    await fail(trouble)
    await pass(50)
    assert.deepEqual(new Set(outcomes), new Set(['retry']))
    const tries = outcomes.length
    await pass(24)
    assert.equal(outcomes.length - tries, 3, 'ever more rarely')
    assert.equal((await store.instance.sending(scene.now)).mailsFail, true, 'no heartbeats')
    server.error = null
    await pass(12)
    await pass(50)
    assert.deepEqual(sent, [`manager@example.org: ${TITLES[trouble]}`])
  })

  test(`that a channel was ${trouble} days ago is not sent when the mail server is back`, async t => {
    const { scene, store, a, server, sent, outcomes, add, fail, pass } = await openMailServerAway(t)
    await add('webhook')
    await fail(trouble)
    await pass(50)
    await store.channels.setEnabled(a.id, false, scene.now)
    await store.channels.setEnabled(a.id, true, scene.now)
    outcomes.length = 0
    await pass(12)
    assert.deepEqual(outcomes, [], 'it is not tried any more')
    server.error = null
    await pass(12)
    assert.deepEqual(sent, [])
  })
}

test('an e-mail about trouble arrives when its recipient exists again after days', async t => {
  const { server, sent, outcomes, add, fail, pass } = await openMailServerAway(t)
  server.error = UNKNOWN
  await add('webhook')
  await fail('disabled')
  await pass(60)
  assert.deepEqual(new Set(outcomes), new Set(['retry']))
  server.error = null
  await pass(24)
  assert.deepEqual(sent, [`manager@example.org: ${TITLES.disabled}`])
})

for (const status of ['5.1.1', '5.7.1', '4.4.7'])
  test(`an e-mail about trouble that comes back with ${status} is sent again until it does not`, async t => {
    const { scene, store, people, server, sent, add, fail, pass, bounce, events } =
      await openMailServerAway(t)
    const wishes = { reports: 'weekly', nagSeconds: 3600 } as const
    await store.reports.setWishes(people.manager.uuid, wishes)
    server.error = null
    await add('webhook')
    await fail('disabled')
    await pass(0.5)
    for (let n = 0; n < 3; n++) {
      assert.equal(await bounce(status), '')
      assert.equal(await bounce(status), 'notification not found', 'it waits to be sent again')
      await pass(1)
    }
    assert.deepEqual(sent, Array(4).fill(`manager@example.org: ${TITLES.disabled}`))
    assert.deepEqual(
      events.map(({ kind, outcome }) => `${kind} ${outcome}`),
      Array(3).fill('notice retry'),
    )
    assert.deepEqual(await store.reports.wishes(people.manager.id), wishes, 'no report came back')
    assert.equal((await store.instance.state(scene.now)).mails, 0, 'nothing waits to be sent')
    await pass(72)
    assert.equal(sent.length, 4)
    assert.equal(await bounce(status), 'bad signature')
  })

test('a bounce of an e-mail about trouble that was sent again since does not count', async t => {
  const { server, sent, add, fail, pass, bounce, tokens } = await openMailServerAway(t)
  server.error = null
  await add('webhook')
  await fail('disabled')
  await pass(0.5)
  assert.equal(await bounce('5.7.1'), '')
  await pass(2)
  assert.equal(sent.length, 2)
  assert.equal(await bounce('5.7.1', tokens[0]), 'notification not found')
  await pass(2)
  assert.equal(sent.length, 2)
})

test('an e-mail about trouble that comes back before its sending has ended is sent again', async t => {
  const { scene, store, server, sent, add, fail, sendDue, pass, bounce, beforeAnswer, tokens, events } =
    await openMailServerAway(t)
  server.error = null
  await add('webhook')
  await fail('disabled')
  beforeAnswer.push(async () => {
    scene.now += 2_000
    assert.equal(await bounce('5.2.2'), '')
    assert.equal(await bounce('5.2.2'), 'notification not found', 'reported twice')
    scene.now += 3_000
    assert.equal(await bounce('5.2.2'), 'notification not found', 'and once more')
  })
  await sendDue()
  assert.equal((await store.instance.state(scene.now)).mails, 1, 'it waits to be sent')
  assert.equal(await bounce('5.2.2'), 'notification not found', 'after it was settled')
  scene.now += 2_000
  await sendDue()
  assert.equal(await bounce('5.2.2', tokens[0]), 'notification not found', 'after it was sent again')
  await pass(2)
  assert.deepEqual(sent, Array(2).fill(`manager@example.org: ${TITLES.disabled}`))
  assert.deepEqual(
    events.map(({ kind, outcome }) => `${kind} ${outcome}`),
    ['notice retry'],
  )
  assert.equal(await bounce('5.2.2'), '', 'the second comes back as well')
  await pass(2)
  assert.equal(sent.length, 3)
})

test('an e-mail that comes back while it is sent again late does so a third time', async t => {
  const { scene, server, sent, add, fail, sendDue, pass, bounce, beforeAnswer, tokens } =
    await openMailServerAway(t)
  server.error = null
  await add('webhook')
  await fail('disabled')
  await sendDue()
  assert.equal(await bounce('5.2.2'), '')
  scene.now += 3_000
  beforeAnswer.push(async () => {
    assert.equal(await bounce('5.2.2', tokens[0]), 'notification not found', 'of the first sending')
    assert.equal(await bounce('5.2.2'), '')
  })
  await sendDue()
  await pass(2)
  assert.equal(sent.length, 3)
})

test('an e-mail that came back before its process was killed is sent once more', async t => {
  const { scene, store, server, sent, add, fail, pass, bounce, beforeAnswer, sendDue } =
    await openMailServerAway(t)
  server.error = null
  await add('webhook')
  await fail('disabled')
  beforeAnswer.push(async () => {
    assert.equal(await bounce('5.2.2'), '')
    scene.now += LEASE_MS + 1
    const [taken] = await claimMails(store, { worker: 'other', now: scene.now })
    assert.equal(taken?.attempts, 1)
    await store.people.releaseMails(['other'], scene.now)
  })
  await sendDue()
  await pass(2)
  assert.equal(sent.length, 2)
})

test('an e-mail arrives if its recipient did not exist for a while', async t => {
  const { server, sent, add, fail, pass } = await openMailServerAway(t)
  server.error = UNKNOWN
  await add('webhook')
  await fail('disabled')
  await pass(2)
  server.error = null
  await pass(2)
  assert.deepEqual(sent, [`manager@example.org: ${TITLES.disabled}`])
})

test('an e-mail that says nothing about lasting trouble is given up after a day', async t => {
  const { scene, outcomes, pass } = await openMailServerAway(t)
  await scene.ping('backup', 'fail')
  const [message] = await scene.claim()
  const words = { kind: 'notice', subject: 'Over', text: '', html: '', unsubscribeUrl: '' } as const
  const mail = { ...words, limit: { key: 'over', capacity: 1, periodMs: HOUR_MS } }
  await scene.settle(message!, { type: 'failed', error: 'Over', mail })
  await pass(24)
  assert.equal(outcomes.includes('gave-up'), false)
  outcomes.length = 0
  await pass(26)
  assert.deepEqual(outcomes, ['gave-up', 'gave-up'], 'to the manager and the member')
})
