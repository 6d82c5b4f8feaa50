import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeChannel } from '../../../src/actions/channels/change-channel.js'
import { beginSession } from '../../../src/actions/people/sign-in/begin-session.js'
import { bounceToken } from '../../../src/lib/mail/bounce-token.js'
import { bounceReader } from '../../../src/lib/mail/mail-reader.js'
import { digestOf } from '../../../src/lib/secrets/secrets.js'
import { claimMessages } from '../../_support/claim.js'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld({ app: { EMAIL_MAIL_FROM_TMPL: '%s@bounces.example.org' } })
const { clock, store, config } = world
const HOUR = 3_600

/** An e-mail channel with one notification under way. */
async function notification() {
  const owner = await world.account()
  const now = clock.now()
  const settings = { value: 'ops@example.org', down: 'true', up: 'true' }
  const made = { projectId: owner.projectId, name: 'Ops', kind: 'email', settings, members: [], now }
  const { uuid } = await store.channels.create(made)
  const check = await world.check(owner, { channels: '*' })
  await world.ping(check, '/fail')
  const claimed = await claimMessages(store, now)
  const message = claimed.find(({ channel }) => channel.uuid === uuid)!
  const token = bounceToken(config.SECRET_KEY, `n.${message.parts[0]!.notificationUuid}`, now)
  const channel = async () => {
    const { lastError, disabled } = (await store.channels.find(uuid))!
    return { lastError, disabled }
  }
  const moveTo = async (value: string) => {
    const moved = { ...settings, value }
    await changeChannel(
      store,
      { uuid, name: 'Ops', settings: moved, kept: [], asker: null, by: null },
      clock.now(),
    )
  }
  return { token, channel, moveTo }
}

/** A bounce as a mail server writes it. Source: RFC 3464. */
const bounce = (to: string, fields: string) => `From: MAILER-DAEMON@mx.example.net
To: ${to}
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

Status: 2.0.0
I am sorry to have to inform you.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; ops@example.org
Action: failed
${fields}

--b
Content-Type: message/rfc822

Subject: DOWN | Backup

body
--b--
`

const send = (body: string) =>
  world.send('POST', '/api/v3/bounces/', { body, headers: { 'Content-Type': 'message/rfc822' } })
/** The error of a bounce with the status 5.1.1. */
const UNKNOWN = 'Delivery failed (SMTP status code: 5.1.1)'
const at = (token: string) => `<${token}@bounces.example.org>`

const rows: [name: string, fields: string, answer: string, lastError: string][] = [
  [
    'an unknown recipient is noted with the words of the server',
    'Status: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 no such\n user here',
    'OK',
    'Delivery failed (550 5.1.1 no such user here)',
  ],
  ['without words its code is told', 'Status: 5.2.1', 'OK', 'Delivery failed (SMTP status code: 5.2.1)'],
  ['a failure that may pass is noted', 'Status: 4.2.2', 'OK', 'Delivery failed (SMTP status code: 4.2.2)'],
  ['one of routing may pass too', 'Status: 5.4.4', 'OK', 'Delivery failed (SMTP status code: 5.4.4)'],
  ['a success is none', 'Status: 2.0.0', 'OK (ignored)', ''],
  ['nor is a report without a status', 'X-A: b', 'OK (ignored)', ''],
]

for (const [name, fields, answer, lastError] of rows) {
  test(name, async () => {
    const { token, channel } = await notification()
    const { status, text } = await send(bounce(at(token), fields))
    assert.deepEqual({ status, text }, { status: 200, text: answer })
    assert.deepEqual(await channel(), { lastError, disabled: false })
  })
}

test('a token that was changed, is too old, or is none is not believed', async () => {
  const { token, channel } = await notification()
  const fields = 'Status: 5.1.1'
  const last = token.endsWith('0') ? '1' : '0'
  for (const wrong of [token.slice(0, -1) + last, token.replace('n.', 'r.'), 'postmaster', '']) {
    assert.equal((await send(bounce(at(wrong), fields))).text, 'OK (bad signature)')
  }
  assert.equal((await send('')).text, 'OK (bad signature)')
  clock.advance(48 * HOUR + 2)
  assert.equal((await send(bounce(at(token), fields))).text, 'OK (bad signature)')
  assert.equal((await channel()).lastError, '')
})

test('a report whose recipient does not exist switches a person’s reports and reminders off', async () => {
  const now = clock.now()
  const user = await store.people.createUser({
    email: 'gone@example.org',
    passwordHash: null,
    emailProven: true,
    now,
  })
  await store.reports.setWishes(user.uuid, { reports: 'daily', nagSeconds: 3600 })
  const to = (uuid: string) => at(bounceToken(config.SECRET_KEY, `r.${uuid}`, now))
  for (const status of ['4.2.2', '5.7.1', '5.3.0']) {
    assert.equal((await send(bounce(to(user.uuid), `Status: ${status}`))).text, 'OK')
    assert.deepEqual(await store.reports.wishes(user.id), { reports: 'daily', nagSeconds: 3600 })
  }
  assert.equal((await send(bounce(to(user.uuid), 'Status: 5.1.1'))).text, 'OK')
  assert.deepEqual(await store.reports.wishes(user.id), { reports: 'off', nagSeconds: 0 })
  const nobody = '3cba109f-0c06-47ea-8a3c-2f7d6a5f0e11'
  assert.equal((await send(bounce(to(nobody), 'Status: 5.1.1'))).text, 'OK (user not found)')
})

test('a bounce from the address before disables nothing at the corrected one', async () => {
  const { token, channel, moveTo } = await notification()
  await moveTo('corrected@example.org')
  assert.equal((await send(bounce(at(token), 'Status: 5.1.1'))).text, 'OK')
  assert.deepEqual(await channel(), { lastError: '', disabled: false })
})

test('a change of what an e-mail channel tells leaves its bounces valid', async () => {
  const { token, channel, moveTo } = await notification()
  await moveTo('ops@example.org')
  assert.equal((await send(bounce(at(token), 'Status: 5.1.1'))).text, 'OK')
  assert.equal((await channel()).lastError, UNKNOWN)
})

test('a bounce of a report to the address before leaves the reports to the new one', async () => {
  const now = clock.now()
  const email = 'before@example.org'
  const user = await store.people.createUser({ email, passwordHash: null, emailProven: true, now })
  await store.reports.setWishes(user.uuid, { reports: 'daily', nagSeconds: 3600 })
  const to = at(bounceToken(config.SECRET_KEY, `r.${user.uuid}`, now))
  clock.advance(60)
  const token = await beginSession(store, clock, { user, method: 'link', visitor: { ua: '', address: '' } })
  const { sessionId } = (await store.people.findSession(digestOf(token), clock.now()))!
  const change = { userId: user.id, sessionId, email: 'after@example.org', provenAt: clock.now(), now: 3 }
  await store.people.setEmail(change)
  assert.equal((await send(bounce(to, 'Status: 5.1.1'))).text, 'OK (ignored)')
  assert.deepEqual(await store.reports.wishes(user.id), { reports: 'daily', nagSeconds: 3600 })
})

test('a bounce may come a day late', async () => {
  const { token, channel } = await notification()
  clock.advance(24 * HOUR)
  assert.equal((await send(bounce(at(token), 'Status: 5.1.1'))).text, 'OK')
  assert.equal((await channel()).lastError, UNKNOWN)
})

test('a bounce of a message from before a change of the key is noted while the key before is set', async () => {
  const [kept, dropped] = [await notification(), await notification()]
  const before = config.SECRET_KEY
  Object.assign(config, { SECRET_KEY: 'the next key', SECRET_KEY_PREVIOUS: before })
  assert.equal((await send(bounce(at(kept.token), 'Status: 5.1.1'))).text, 'OK')
  Object.assign(config, { SECRET_KEY_PREVIOUS: '' })
  assert.notEqual((await send(bounce(at(dropped.token), 'Status: 5.1.1'))).text, 'OK')
  Object.assign(config, { SECRET_KEY: before })
})

test('a notification that is gone is said to be', async () => {
  const token = bounceToken(config.SECRET_KEY, 'n.3cba109f-0c06-47ea-8a3c-2f7d6a5f0e11', clock.now())
  assert.equal(token.length, 64)
  assert.equal((await send(bounce(at(token), 'Status: 5.1.1'))).text, 'OK (notification not found)')
})

test('a bounce is noted by its first 256 kB, with the token in the first 64', async () => {
  const { token, channel } = await notification()
  const report = bounce(at(token), 'Status: 5.1.1')
  const late = `X-Filler: ${'x'.repeat(65_536)}\n${report}`
  assert.equal((await send(late)).text, 'OK (bad signature)')
  assert.equal((await channel()).lastError, '')
  const large = report.replace(/body\n--b--\n$/, `${'a line of the e-mail that came back\n'.repeat(40_000)}`)
  assert.ok(large.length > 1_000_000)
  assert.equal((await send(large)).text, 'OK')
  assert.equal((await channel()).lastError, UNKNOWN)
})

test('bounces without a good token are not taken apart, however many come', async () => {
  const bomb = `To: ${at('n.x')}\nContent-Type: multipart/mixed; boundary=b\n\n${'--b\n\nx\n'.repeat(30_000)}`
  const replies = await Promise.all(Array.from({ length: 40 }, () => send(bomb)))
  assert.deepEqual(new Set(replies.map(({ text }) => text)), new Set(['OK (bad signature)']))
})

test('while other bounces wait to be read, one more is asked to come later', async () => {
  const { token } = await notification()
  const report = bounce(at(token), 'Status: 5.1.1')
  let full = true
  // Each place is taken again as soon as it is free, however late the request arrives.
  const keepPlace = async () => {
    while (full) await bounceReader.read(Buffer.from(report))
  }
  const places = Array.from({ length: 4 }, keepPlace)
  const { status, headers, json } = await send(report)
  full = false
  assert.equal(status, 503)
  assert.equal(headers.get('Retry-After'), '10')
  assert.equal(json.error, 'too many bounces at once, try again later')
  await Promise.all(places)
  assert.equal((await send(report)).text, 'OK')
})
