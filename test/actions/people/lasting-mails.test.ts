/** How long an e-mail is tried while the mail server is away. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sendQueuedMail } from '../../../src/actions/people/mail/send-queued-mail.js'
import { MailError } from '../../../src/lib/mail/mail-error.js'
import type { Mailer } from '../../../src/lib/mail/mailer.js'
import { claimMails } from '../../_support/claim-mails.js'
import { HOUR_MS, openFailingChannel, TITLES } from '../../_support/worlds/failing-channel.js'

const AWAY = new MailError('The mail server answered: 451 later', false, false, null)
const UNKNOWN = new MailError('The mail server answered: 550 5.1.1 unknown', true, true, null)

/** A project whose channel A fails, and a mail server that fails with `error` until that is null. */
async function openMailServerAway(t: TestContext) {
  const opened = await openFailingChannel(t)
  const { scene, store } = opened
  const sent: string[] = []
  const outcomes: string[] = []
  const server: { error: MailError | null } = { error: AWAY }
  const mailer: Mailer = {
    async send({ to, subject }) {
      if (server.error) throw server.error
      sent.push(`${to}: ${subject}`)
    },
  }
  const deps = {
    settle: store.people.settleMail,
    clock: { now: () => scene.now },
    mailer,
    secretKey: 'secret',
    worker: 'me',
    onError: assert.ifError,
    onMail: ({ outcome }: { outcome: string }) => void outcomes.push(outcome),
  }
  const { signal } = new AbortController()
  const signals = { stop: signal, cutOff: signal }
  /** Sends what is due each half hour. */
  const pass = async (hours: number) => {
    for (const end = scene.now + hours * HOUR_MS; scene.now < end; scene.now += HOUR_MS / 2)
      for (const mail of await claimMails(store, { worker: 'me', now: scene.now }))
        await sendQueuedMail(deps, mail, signals, { handedOver() {}, end() {} })
  }
  return { ...opened, server, sent, outcomes, pass }
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

test('an e-mail about trouble is given up when its recipient has not existed for a day', async t => {
  const { server, sent, outcomes, add, fail, pass } = await openMailServerAway(t)
  server.error = UNKNOWN
  await add('webhook')
  await fail('disabled')
  await pass(23)
  assert.deepEqual(new Set(outcomes), new Set(['retry']))
  await pass(3)
  assert.equal(outcomes.at(-1), 'gave-up')
  assert.deepEqual(sent, [])
})

test('an e-mail of days ago is tried again when its recipient does not exist for a while', async t => {
  const { server, sent, outcomes, add, fail, pass } = await openMailServerAway(t)
  await add('webhook')
  await fail('disabled')
  await pass(50)
  for (const error of [UNKNOWN, AWAY, UNKNOWN]) {
    server.error = error
    const tries = outcomes.length
    for (let n = 0; n < 24 && outcomes.length === tries; n++) await pass(0.5)
  }
  assert.deepEqual(new Set(outcomes), new Set(['retry']))
  server.error = null
  await pass(24)
  assert.deepEqual(sent, [`manager@example.org: ${TITLES.disabled}`])
})

test('an e-mail of days ago is given up when its recipient does not exist for an hour', async t => {
  const { server, outcomes, add, fail, pass } = await openMailServerAway(t)
  await add('webhook')
  await fail('disabled')
  await pass(50)
  server.error = UNKNOWN
  outcomes.length = 0
  await pass(24)
  assert.deepEqual(outcomes, ['retry', 'gave-up'])
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
