import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { DeliveryError } from '../../../src/integrations/integration.js'
import { email } from '../../../src/integrations/kinds/email.js'
import { aDestination, aNotice, anAlert, aPing, NOW, testWays, UUID } from '../../_support/alert.js'
import { openMailServer } from '../../_support/servers/mail-server.js'

const MINUTE = 60_000
const settings = { value: 'alice@example.org' }

test('a down alert has the check, the reason, the time and the last ping', async t => {
  const server = await openMailServer(t)
  const lastPing = aPing({
    action: 'fail',
    exitStatus: 2,
    at: NOW - 10 * MINUTE,
    durationMs: 725_000,
    body: Buffer.from('line 1\nfatal: disk full'),
  })
  const alert = anAlert({ lastPing, flip: { reason: 'failed' }, check: { desc: 'Nightly dump\nof Alpha' } })
  await email.send(alert, aDestination(email, settings), testWays(server.options))
  const [mail] = server.mails
  assert.deepEqual(mail?.envelope.to, ['alice@example.org'])
  assert.equal(mail.headers.subject, 'DOWN | Backup, exit status 2')
  assert.equal(
    mail.text.replaceAll('\r\n', '\n'),
    `Backup is DOWN, exit status 2.
Down since 11:50 UTC: the job exited with status 2.

https://monitor.example/cloaked/59e5a247000529524ba7e978a9de12ec70ece6b1/

Nightly dump
of Alpha

Down since: Thu 5 Mar 2026 11:50:00 UTC
Last ping: Exit status 2, 11:50 UTC (10 minutes ago), from 192.0.2.7
Last run: 12 min 5 s
Project: Alpha
Tags: prod, db
Period: 1 day
Total pings: 42 (since 1 Jan 2026)

Last ping body:
line 1
fatal: disk full

--
Punctual: https://monitor.example
Unsubscribe: https://monitor.example/integrations/0f6b2b1e/unsub/signed/
`,
  )
  for (const piece of [
    'Backup is DOWN',
    'Nightly dump',
    '12 min 5 s',
    'fatal: disk full',
    'alpha'.slice(0, 0),
  ]) {
    assert.ok(mail.html.includes(piece), piece)
  }
})

test('an up alert has the downtime and the state of the other checks', async t => {
  const server = await openMailServer(t)
  const alert = anAlert({
    status: 'up',
    check: { kind: 'cron', schedule: '0 2 * * *', tz: 'Europe/Riga' },
    otherChecks: 3,
    othersDown: [
      { label: 'Mail queue', lastPing: NOW - 12 * MINUTE },
      { label: 'Sync', lastPing: null },
    ],
  })
  const to = aDestination(email, settings, { timeZone: 'Europe/Riga' })
  await email.send(alert, to, testWays(server.options))
  const [mail] = server.mails
  assert.equal(mail?.headers.subject, 'UP | Backup')
  const text = mail.text.replaceAll('\r\n', '\n')
  assert.match(
    text,
    /^Backup is UP\.\nUp since 13:50 UTC\+02:00\. The downtime lasted 1 hour, 30 minutes\.\n/,
  )
  assert.match(text, /\nSchedule: 0 2 \* \* \*\nTime zone: Europe\/Riga\n/)
  assert.match(text, /\nUp since: Thu 5 Mar 2026 13:50:00 UTC\+02:00\n/)
  const others =
    'The following checks are still down:\n- Mail queue (last ping: 13:48 UTC+02:00)\n- Sync (last ping: never)\n'
  assert.ok(text.includes(others))
  assert.match(mail.html, /<li>Mail queue \(last ping: 13:48 UTC\+02:00\)<\/li>/)
})

test('a check that was never pinged says so', async t => {
  const server = await openMailServer(t)
  await email.send(anAlert({ lastPing: null }), aDestination(email, settings), testWays(server.options))
  assert.match(
    server.mails[0]!.text,
    /\nLast ping: Never\r?\n[\s\S]*Total pings: 0 \(since 1 Jan 2026\)\r?\n/,
  )
})

test('an alert mentions outages, undelivered alerts, and that it is a test', async t => {
  const server = await openMailServer(t)
  const at = (time: string) => Date.parse(`2026-03-05T${time}Z`)
  const outage = { startedAt: at('03:00:00'), endedAt: at('03:02:00'), holdUntil: at('03:04:00') }
  const alert = anAlert({ outage, superseded: 2, test: true })
  await email.send(alert, aDestination(email, settings), testWays(server.options))
  const { text, html } = server.mails[0]!
  for (const sentence of [
    'This is a test. There is no such check.',
    'Punctual was unreachable 03:00-03:02 UTC, when the ping was expected, so it may have been missed.',
    '2 earlier alerts about this check were not delivered; this one replaces them.',
  ]) {
    assert.ok(text.includes(sentence), sentence)
    assert.ok(html.includes(sentence), sentence)
  }
})

test("an e-mail never contains the check's UUID, even if the check has no name", async t => {
  const server = await openMailServer(t)
  const alert = anAlert({ check: { name: '', slug: '' } })
  await email.send(alert, aDestination(email, settings), testWays(server.options))
  const [mail] = server.mails
  assert.equal(mail?.headers.subject, 'DOWN | Unnamed check 59e5a247')
  for (const text of [mail.raw, mail.text, mail.html]) assert.ok(!text.includes(UUID))
})

test('a hostile name and body are escaped', async t => {
  const server = await openMailServer(t)
  const name = '<script>alert(1)</script>\r\nBcc: eve@example.org'
  const alert = anAlert({
    check: { name, desc: '<img src=x onerror=y>', tags: '"><b>' },
    project: { name: '</td>', url: '' },
    lastPing: aPing({ body: Buffer.from('</pre><script>\u0000') }),
  })
  await email.send(alert, aDestination(email, settings), testWays(server.options))
  const [mail] = server.mails
  assert.ok(mail)
  assert.equal(mail.headers.bcc, undefined)
  assert.doesNotMatch(mail.html, /<script|<img|<b>|alpha<\/td>/)
  assert.match(mail.html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/)
  assert.deepEqual(mail.envelope.to, ['alice@example.org'])
})

test('the end of a long body is shown, with its full length', async t => {
  const server = await openMailServer(t)
  const body = Buffer.from(`beginning ${'x'.repeat(9_990)} end`)
  await email.send(
    anAlert({ lastPing: aPing({ body }) }),
    aDestination(email, settings),
    testWays(server.options),
  )
  const { text } = server.mails[0]!
  assert.match(text, /The last 10000 characters of 10004 bytes\. All of it: https:\S+#ping-42\r?\nnning x/)
  assert.match(text, /x end\r?\n/)
})

test('a ping by e-mail is attached', async t => {
  const server = await openMailServer(t)
  const body = Buffer.from('Subject: Backup failed\r\n\r\ndisk full\r\n')
  const alert = anAlert({ lastPing: aPing({ scheme: 'email', body }) })
  await email.send(alert, aDestination(email, settings), testWays(server.options))
  const [mail] = server.mails
  assert.match(mail!.text, /Last ping body:\r?\nSee the attachment\./)
  const attached = mail?.parts.find(part => part.headers['content-disposition']?.includes('last-ping.eml'))
  assert.match(attached!.headers['content-type']!, /^message\/rfc822/)
  assert.match(attached!.body, /Subject: Backup failed\r\n\r\ndisk full/)
})

test('an e-mail attached to a ping by e-mail is not forwarded', async t => {
  const server = await openMailServer(t)
  const body = Buffer.from(
    'Subject: Backup failed\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ndisk full\r\n' +
      '--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: inner\r\n\r\nprivate\r\n--b--\r\n',
  )
  const alert = anAlert({ lastPing: aPing({ scheme: 'email', body }) })
  await email.send(alert, aDestination(email, settings), testWays(server.options))
  const [{ parts }] = server.mails as [(typeof server.mails)[number]]
  const said = parts.map(part => part.body).join('\n')
  assert.match(said, /disk full/)
  assert.match(said, /was left out/)
  assert.doesNotMatch(said, /private/)
})

test('an e-mail can be unsubscribed with one click, and a repeat has the same Message-ID', async t => {
  const server = await openMailServer(t)
  const to = aDestination(email, settings)
  await email.send(anAlert(), to, testWays(server.options))
  await email.send(anAlert(), to, testWays(server.options))
  const [first, second] = server.mails
  assert.equal(first?.headers['list-unsubscribe'], `<${to.unsubscribeUrl}>`)
  assert.equal(first.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
  assert.equal(first.headers['auto-submitted'], 'auto-generated')
  assert.ok(first.html.includes(`href="${to.unsubscribeUrl}"`))
  assert.equal(first.headers['message-id'], `<${to.idempotencyKey}@monitor.example>`)
  assert.equal(second?.headers['message-id'], first.headers['message-id'])
})

test('a notice arrives with its title, text and link', async t => {
  const server = await openMailServer(t)
  await email.notify!(aNotice(), aDestination(email, settings), testWays(server.options))
  const [mail] = server.mails
  assert.equal(mail?.headers.subject, 'The channel "Pager" was disabled')
  assert.match(mail.text, /^The channel "Pager" was disabled\r?\n\r?\nIts address answers that it is gone\./)
  assert.match(mail.html, /The channel &quot;Pager&quot; was disabled/)
})

test('the channel sends only the chosen directions', () => {
  const wants = (given: Record<string, string>) => {
    const all = checkSettings(email, { ...settings, ...given })
    return (['down', 'up'] as const).filter(status => email.wants?.(all, status))
  }
  assert.deepEqual(wants({}), ['down', 'up'])
  assert.deepEqual(wants({ up: 'false' }), ['down'])
  assert.equal(email.describe(checkSettings(email, settings)), 'alice@example.org')
})

test('a refusal of an unknown address is told apart from an unreachable server', async t => {
  const server = await openMailServer(t, {
    onRcptTo: (_address, _session, callback) =>
      callback(Object.assign(new Error('5.1.1 No such user'), { responseCode: 550 })),
  })
  const attempt = (transports: ReturnType<typeof testWays>) =>
    email.send(anAlert(), aDestination(email, settings), transports).then(
      () => assert.fail('the message was taken'),
      (error: unknown) => {
        assert.ok(error instanceof DeliveryError)
        return [error.message, error.options.unknownRecipient ?? false]
      },
    )
  const gone = ['The mail server answered: 550 5.1.1 No such user', true]
  assert.deepEqual(await attempt(testWays(server.options)), gone)
  assert.deepEqual(await attempt(testWays({ ...server.options, port: 1 })), ['Connection failed', false])
  assert.deepEqual(await attempt(testWays(null)), ['No mail server is set up (EMAIL_HOST)', false])
})

test('many other checks that are down are counted rather than listed', async t => {
  const server = await openMailServer(t)
  const to = aDestination(email, settings)
  const othersDown = Array.from({ length: 11 }, () => ({ label: 'Other', lastPing: null }))
  const transports = testWays(server.options)
  await email.send(anAlert({ otherChecks: 40, othersDown, othersDownCount: 23 }), to, transports)
  await email.send(anAlert({ otherChecks: 40 }), to, transports)
  assert.match(server.mails[0]!.text, /\r?\n23 other checks are also down\.\r?\n/)
  assert.match(server.mails[1]!.text, /\r?\nAll the other checks are up\.\r?\n/)
})

test('a ping by e-mail is shown by its subject and attached unless it is too large', async t => {
  const server = await openMailServer(t)
  const mail = { subject: 'Backup FAILED', text: 'no space left' }
  const raw = Buffer.from('Subject: Backup FAILED\r\n\r\nno space left')
  const large = Buffer.concat([raw, Buffer.alloc(1_000_000, 'x')])
  for (const body of [raw, large]) {
    const lastPing = aPing({ scheme: 'email', method: '', action: 'fail', body, mail })
    await email.send(anAlert({ lastPing }), aDestination(email, settings), testWays(server.options))
  }
  const [small, big] = server.mails
  assert.match(small!.text, /Its subject: Backup FAILED/)
  assert.match(small!.text, /See the attachment\./)
  assert.ok(small!.parts.some(part => part.headers['content-type']?.startsWith('message/rfc822')))
  assert.ok(!big!.parts.some(part => part.headers['content-type']?.startsWith('message/rfc822')))
  assert.match(big!.text, /Last ping body:\s+no space left/)
})

test('times are in the time zone of the recipient', async t => {
  const server = await openMailServer(t)
  await email.send(
    anAlert(),
    aDestination(email, settings, { timeZone: 'Europe/Zurich' }),
    testWays(server.options),
  )
  assert.match(server.mails[0]!.text, /\nDown since: Thu 5 Mar 2026 12:50:00 UTC\+01:00\r?\n/)
})

test('all messages about an incident refer to the same one, so that mail programs group them', async t => {
  const server = await openMailServer(t)
  const to = (idempotencyKey: string, thread?: string) =>
    aDestination(email, settings, { idempotencyKey, ...(thread && { thread }) })
  await email.send(anAlert(), to('one', 'incident'), testWays(server.options))
  await email.send(anAlert({ status: 'up' }), to('two', 'incident'), testWays(server.options))
  await email.send(anAlert(), to('three'), testWays(server.options))
  const [down, up, alone] = server.mails.map(({ headers }) => headers)
  for (const name of ['references', 'in-reply-to'] as const) {
    assert.equal(down?.[name], '<incident@monitor.example>')
    assert.equal(up?.[name], '<incident@monitor.example>')
    assert.equal(alone?.[name], undefined)
  }
  assert.notEqual(down?.['message-id'], up?.['message-id'])
})

test('the checks of a digest link to their pages', async t => {
  const server = await openMailServer(t)
  const item = {
    label: 'Backup <b>',
    url: 'https://monitor.example/cloaked/1/',
    text: 'DOWN since 11:50 UTC',
  }
  await email.notify!(
    aNotice({ items: [item], text: '' }),
    aDestination(email, settings),
    testWays(server.options),
  )
  const [{ text, html }] = server.mails as [(typeof server.mails)[number]]
  assert.match(text, /- Backup <b>: DOWN since 11:50 UTC\r?\n {2}https:\/\/monitor\.example\/cloaked\/1\//)
  assert.match(
    html,
    /<a href="https:\/\/monitor\.example\/cloaked\/1\/"[^>]*>Backup &lt;b&gt;<\/a>: DOWN since/,
  )
})

test('an alert is attempted once, and has an ID for bounces', async t => {
  const busy = await openMailServer(t, {
    onRcptTo: (_address, _session, callback) =>
      callback(Object.assign(new Error('4.2.0 later'), { responseCode: 450 })),
  })
  const attempt = email.send(anAlert(), aDestination(email, settings), testWays(busy.options))
  await assert.rejects(attempt, DeliveryError)
  assert.equal(busy.connections, 1)
  const server = await openMailServer(t)
  const options = { ...server.options, envelopeTemplate: '%s@bounces.example.org' }
  await email.send(anAlert(), aDestination(email, settings, { bounceId: 'n.abc' }), testWays(options))
  assert.equal(server.mails[0]!.envelope.from, 'n.abc@bounces.example.org')
})
