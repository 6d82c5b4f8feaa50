import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { createMailer } from '../../../src/lib/mail/mailer.js'
import { openMailServer } from '../../_support/servers/mail-server.js'

const mail = { to: 'alice@example.org', subject: 'DOWN | Backup', text: 'Down.', html: '<p>Down.</p>' }

/** An SMTP refusal as a server's hook gives it. */
const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

test('a message arrives with its texts, headers, attachments and sender', async t => {
  const server = await openMailServer(t)
  await createMailer(server.options).send({
    ...mail,
    id: 'abc-1',
    headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    attachments: [
      {
        filename: 'last-ping.eml',
        contentType: 'message/rfc822',
        content: Buffer.from('Subject: hi\r\n\r\nbody'),
      },
    ],
  })
  const [got] = server.mails
  assert.deepEqual(got?.envelope, { from: 'punctual@monitor.example', to: ['alice@example.org'] })
  assert.equal(got.headers.from, 'Punctual <punctual@monitor.example>')
  assert.equal(got.headers.to, 'alice@example.org')
  assert.equal(got.headers.subject, 'DOWN | Backup')
  assert.equal(got.headers['message-id'], '<abc-1@monitor.example>')
  assert.equal(got.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
  assert.equal(got.text.trim(), 'Down.')
  assert.equal(got.html.trim(), '<p>Down.</p>')
  const attached = got.parts.find(part => part.headers['content-type']?.startsWith('message/rfc822'))
  assert.match(attached!.body, /Subject: hi\r\n\r\nbody/)
})

test('a hostile subject or address adds no header and no recipient', async t => {
  const server = await openMailServer(t)
  const mailer = createMailer(server.options)
  await mailer.send({ ...mail, subject: 'DOWN | a\r\nBcc: eve@example.org\r\n\r\nbody \u{1f512}' })
  assert.equal(server.mails[0]?.headers.bcc, undefined)
  assert.match(server.mails[0]!.headers.subject!, /^DOWN \| a Bcc: eve@example.org\s+body \u{1f512}$/u)
  await mailer.send({ ...mail, to: 'alice@example.org, eve@example.org' }).catch(() => {})
  assert.ok(
    server.mails.every(({ envelope }) => envelope.to.length === 1 && !envelope.to[0]!.startsWith('eve')),
  )
})

test('the envelope sender has the bounce ID if the operator has set a template', async t => {
  const server = await openMailServer(t)
  const mailer = createMailer({ ...server.options, envelopeTemplate: '%s@bounces.example' })
  await mailer.send({ ...mail, bounceId: 'n.1-$&' })
  await mailer.send(mail)
  assert.deepEqual(
    server.mails.map(({ envelope }) => envelope.from),
    ['n.1-$&@bounces.example', 'punctual@monitor.example'],
  )
})

test('a temporary failure is attempted three times', async t => {
  let refusals = 2
  const server = await openMailServer(t, {
    onRcptTo: (_address, _session, callback) =>
      refusals-- > 0 ? callback(refusal(451, '4.7.1 Greylisted')) : callback(),
  })
  const mailer = createMailer(server.options)
  await mailer.send(mail)
  assert.equal(server.connections, 3)
  assert.equal(server.mails.length, 1)
  refusals = 9
  await assert.rejects(mailer.send(mail), {
    message: 'The mail server answered: 451 4.7.1 Greylisted',
    refused: false,
    badRecipient: false,
  })
  assert.equal(server.connections, 6)
})

test('a permanent refusal is not retried, and only RCPT TO marks the address as bad', async t => {
  const server = await openMailServer(t, {
    onRcptTo: (_address, _session, callback) => callback(refusal(550, '5.1.1 No such user')),
  })
  await assert.rejects(createMailer(server.options).send(mail), { refused: true, badRecipient: true })
  assert.equal(server.connections, 1)
})

test('a refused sender does not mark the recipient as bad', async t => {
  const server = await openMailServer(t, {
    onMailFrom: (_address, _session, callback) => callback(refusal(550, '5.1.1 Who are you')),
  })
  await assert.rejects(createMailer(server.options).send(mail), { refused: true, badRecipient: false })
})

test('a wrong password is neither retried nor shown', async t => {
  const server = await openMailServer(t, {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, callback) =>
      username === 'punctual' && password === 'right'
        ? callback(null, { user: 1 })
        : callback(refusal(535, 'No')),
  })
  await createMailer({ ...server.options, user: 'punctual', password: 'right' }).send(mail)
  assert.equal(server.mails.length, 1)
  await assert.rejects(
    createMailer({ ...server.options, user: 'punctual', password: 'wr0ng' }).send(mail),
    error => {
      assert.match((error as Error).message, /^The mail server answered: 535/)
      assert.doesNotMatch((error as Error).message, /wr0ng/)
      return true
    },
  )
  assert.equal(server.connections, 2)
})

test('nothing is sent unencrypted with STARTTLS, and certificates must be trusted', async t => {
  const clear = await openMailServer(t)
  await assert.rejects(createMailer({ ...clear.options, startTls: true }).send(mail))
  const untrusted = await openMailServer(t, { disabledCommands: [] })
  const expected = { message: 'TLS handshake failed', refused: false }
  await assert.rejects(createMailer({ ...untrusted.options, startTls: true }).send(mail), expected)
  const implicit = await openMailServer(t, { secure: true })
  await assert.rejects(createMailer({ ...implicit.options, implicitTls: true }).send(mail), expected)
  assert.deepEqual([...clear.mails, ...untrusted.mails, ...implicit.mails], [])
})

test('a silent, unreachable or unknown server fails with the reason', async t => {
  const silent = createServer(() => {})
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  t.after(() => silent.close())
  const { options } = await openMailServer(t)
  const { port } = silent.address() as import('node:net').AddressInfo
  const attempt = (change: Partial<typeof options>) => createMailer({ ...options, ...change }).send(mail)
  await assert.rejects(attempt({ port, tryMs: 50 }), { message: 'Connection timed out' })
  await assert.rejects(attempt({ host: 'nobody.invalid' }), { message: 'Could not resolve host' })
  await assert.rejects(attempt({ port: 1 }), { message: 'Connection failed' })
})

test('a server that has the whole message has longer to accept it, and is handed it once', async t => {
  let taken = 0
  const server = await openMailServer(t, {
    onData: (stream, _session, callback) => {
      stream.resume()
      stream.on('end', () => {
        taken++
        setTimeout(callback, 400)
      })
    },
  })
  let handedOver = 0
  const send = (acceptMs: number) =>
    createMailer({ ...server.options, tryMs: 200, acceptMs }).send(
      { ...mail, onHandedOver: () => handedOver++ },
      undefined,
      { once: true },
    )
  await send(60_000)
  assert.deepEqual([taken, handedOver], [1, 1])
  await assert.rejects(send(50), { message: 'Connection timed out' })
})

test('a message is not handed over while the server has not asked for it', async t => {
  const server = await openMailServer(t, {
    onRcptTo: (_address, _session, callback) => callback(refusal(451, 'Later')),
  })
  await assert.rejects(createMailer(server.options).send({ ...mail, onHandedOver: assert.fail }))
})

test('a server that has not asked for a message within the time limit has not got it', async t => {
  const server = await openMailServer(t, {
    onRcptTo: (_address, _session, callback) => void setTimeout(callback, 1_000),
  })
  let handedOver = 0
  const sending = createMailer({ ...server.options, tryMs: 300, acceptMs: 60_000 }).send(
    { ...mail, onHandedOver: () => handedOver++ },
    undefined,
    { once: true },
  )
  await assert.rejects(sending, { message: 'Connection timed out' })
  assert.equal(handedOver, 0)
})

test('an abort ends the attempts with its reason', async t => {
  const server = await openMailServer(t, {
    onRcptTo: (_address, _session, callback) => callback(refusal(451, 'Later')),
  })
  const controller = new AbortController()
  const reason = new Error('shutting down')
  const sending = createMailer({ ...server.options, pauseMs: 60_000 }).send(mail, controller.signal)
  const timer = setInterval(() => server.connections === 1 && controller.abort(reason), 5)
  t.after(() => clearInterval(timer))
  await assert.rejects(sending, reason)
})
