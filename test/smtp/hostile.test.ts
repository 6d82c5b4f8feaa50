/** Mail that is meant to do harm: it may be ignored, but nothing hangs, breaks or is lost beside it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { MailReader } from '../../src/lib/mail/mail-reader.js'
import { eventually } from '../_support/eventually.js'
import { DOMAIN, openSmtpWorld } from '../_support/servers/smtp-world.js'

const LIMIT = 4_000_000
const world = await openSmtpWorld({ sizeLimit: LIMIT })
const rules = { filterSubject: true, failureKw: 'FAILED', successKw: 'OK' }
const mixed = (depth: number) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`

const bombs: [string, string][] = [
  ['900 levels of parts', `Subject: OK\r\n${Array.from({ length: 900 }, (_, i) => mixed(i)).join('')}\r\nx`],
  ['20,000 levels', `Subject: OK\r\n${Array.from({ length: 20_000 }, (_, i) => mixed(i)).join('')}\r\nx`],
  ['50,000 parts', `Subject: OK\r\n${mixed(1)}${'\r\nx\r\n--b1\r\n'.repeat(50_000)}`],
  [
    'parts that never end',
    `Subject: OK\r\n${mixed(1)}Content-Type: text/plain\r\n\r\n${'x\r\n'.repeat(1000)}`,
  ],
  ['a line of 3 MB', `Subject: OK\r\n\r\n${'x'.repeat(3_000_000)}`],
  ['lines of dots', `Subject: OK\r\n\r\n${'..\r\n'.repeat(50_000)}`],
  ['an encoding that is none', 'Subject: OK\r\nContent-Transfer-Encoding: zip\r\n\r\n\xff\xfe\x00'],
  [
    'no end of Content-Type',
    `Subject: OK\r\nContent-Type: text/plain; ${'a*0*=x; '.repeat(50_000)}\r\n\r\nx`,
  ],
  ['bytes that are no text', `Subject: OK\r\n\r\n${'\x00\x01\x7f\xff'.repeat(10_000)}`],
]

for (const [name, message] of bombs) {
  test(`${name}: the subject still counts`, async () => {
    const uuid = await world.addCheck(rules)
    const { ping } = await world.sent(uuid, Buffer.from(message, 'latin1'))
    assert.equal(ping.action, 'success')
    assert.deepEqual(world.errors, [])
  })
}

const unreadable: [string, string | Buffer][] = [
  ['2 MB of headers', `${'X-A: b\r\n'.repeat(250_000)}Subject: OK\r\n\r\nx`],
  ['nothing at all', ''],
  ['NUL bytes', Buffer.alloc(1_000)],
]

for (const [name, message] of unreadable) {
  test(`${name}: a ping that says nothing`, async () => {
    const uuid = await world.addCheck(rules)
    const { ping } = await world.sent(uuid, message)
    assert.equal(ping.action, 'ign')
    assert.deepEqual(world.errors, [])
  })
}

test('an e-mail that takes too long to read says nothing, and holds up none that need not be read', async t => {
  const reader = new MailReader({ limitMs: 1_000 })
  const own = await openSmtpWorld({ readMail: raw => reader.read(raw) }, t)
  const filtered = await own.addCheck(rules)
  const plain = await own.addCheck()
  const order: string[] = []
  const slow = own
    .sent(filtered, `Subject: ${'=?utf-8?Q?=C3=A4?=\r\n '.repeat(60_000)}\r\n\r\nx`)
    .then(sent => {
      order.push('slow')
      return sent
    })
  await own.sent(plain, 'Subject: quick\r\n\r\nx')
  order.push('quick')
  assert.equal((await slow).ping.action, 'ign')
  assert.deepEqual(order, ['quick', 'slow'])
  // On a busy machine the reader's new thread may need longer than a second to start.
  await eventually(async () => (await own.sent(filtered, 'Subject: OK\r\n\r\nx')).ping.action === 'success')
})

test('commands sent all at once are answered in order, and two e-mails after each other both count', async () => {
  const uuid = await world.addCheck()
  const client = await world.talk()
  const mail = `MAIL FROM:<a@b.example>\r\nRCPT TO:<${uuid}@${DOMAIN}>\r\nDATA\r\n`
  await client.say('EHLO x')
  client.socket.write(`${mail}`)
  for (const code of ['250', '250', '354']) assert.equal((await client.reply()).slice(0, 3), code)
  client.socket.write(`one\r\n.\r\n${mail}`)
  for (const code of ['250', '250', '250', '354']) assert.equal((await client.reply()).slice(0, 3), code)
  client.socket.write('two\r\n.\r\nQUIT\r\n')
  for (const code of ['250', '221']) assert.equal((await client.reply()).slice(0, 3), code)
  assert.equal(await world.pings(uuid), 2)
})

test('a line feed, a dot and a line feed do not end an e-mail and smuggle in another', async () => {
  const uuid = await world.addCheck()
  const client = await world.talk()
  await client.begin(`${uuid}@${DOMAIN}`)
  client.socket.write(`one\n.\nMAIL FROM:<a@b>\nRCPT TO:<${uuid}@${DOMAIN}>\nDATA\ntwo\r\n.\r\n`)
  assert.match(await client.reply(), /^250/)
  client.socket.destroy()
  assert.equal(await world.pings(uuid), 1)
})

test('an e-mail that breaks off before its final dot is no ping', async () => {
  const uuid = await world.addCheck()
  const client = await world.talk()
  await client.begin(`${uuid}@${DOMAIN}`)
  client.socket.end('Subject: half\r\n\r\nhalf a mess')
  await once(client.socket, 'close')
  await world.sent(await world.addCheck(), 'Subject: whole\r\n\r\nx')
  assert.equal(await world.pings(uuid), 0)
})

test('an e-mail over the size limit is refused, announced or not, and is no ping', async () => {
  const uuid = await world.addCheck()
  const client = await world.talk()
  assert.match(await client.say('EHLO x'), new RegExp(`SIZE ${LIMIT}`))
  assert.match(await client.say(`MAIL FROM:<a@b.example> SIZE=${LIMIT + 1}`), /^552 /)
  await assert.rejects(world.sent(uuid, 'x'.repeat(LIMIT + 1)), { responseCode: 552 })
  client.socket.destroy()
  assert.equal(await world.pings(uuid), 0)
})

test('one that goes on and on is cut off', async () => {
  const uuid = await world.addCheck()
  const client = await world.talk()
  await client.begin(`${uuid}@${DOMAIN}`)
  const piece = Buffer.alloc(1_000_000, 'x\r\n')
  const closed = new Promise(resolve => client.socket.once('close', resolve))
  for (let sent = 0; !client.socket.destroyed && sent < 200; sent++) {
    const flushed = new Promise(resolve => client.socket.write(piece, resolve))
    await Promise.race([flushed, closed])
  }
  await closed
  assert.equal(await world.pings(uuid), 0)
})

test('what is no SMTP is answered with errors and then no more', async () => {
  const client = await world.talk()
  let last = ''
  for (let count = 0; count < 30; count++) {
    const reply = await client.say('GET / HTTP/1.1')
    if (reply === '') break
    last = reply
  }
  assert.match(last, /^(421|500) /)
  client.socket.destroy()
})

test('a command of 20,000 characters, 101 recipients and AUTH are refused', async () => {
  const client = await world.talk()
  await client.say('EHLO x')
  assert.match(await client.say('AUTH PLAIN AGEAYg=='), /^5/)
  await client.say('MAIL FROM:<a@b.example>')
  const uuid = await world.addCheck()
  const addresses = Array.from({ length: 101 }, (_, i) => `${uuid.slice(0, -3)}${String(i + 100)}@${DOMAIN}`)
  let last = ''
  for (const address of addresses) last = await client.say(`RCPT TO:<${address}>`)
  assert.match(last, /^452 /)
  assert.match(await client.say(`X${'x'.repeat(20_000)}`), /^(5|4|$)/)
  client.socket.destroy()
})

test('no address takes all the places', async () => {
  const clients = await Promise.all(Array.from({ length: 101 }, () => world.talk()))
  const greetings = await Promise.all(clients.map(client => client.say('NOOP')))
  assert.equal(greetings.filter(greeting => greeting.startsWith('250')).length, 100)
  for (const { socket } of clients) socket.destroy()
})
