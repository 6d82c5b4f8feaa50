import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { PingQueue } from '../../src/actions/pings/record-pings.js'
import { Changes } from '../../src/lib/changes.js'
import { parseRecipient } from '../../src/smtp/recipient.js'
import type { Store } from '../../src/storage/store.js'
import { pingStore } from '../_support/ping-store.js'
import { DOMAIN, openSmtpWorld } from '../_support/servers/smtp-world.js'

const world = await openSmtpWorld()
const KEY = 'AbCdEfGhIjKlMnOpQrSt-_'
const UUID = '3CBA109F-0C06-47EA-8A3C-2F7D6A5F0E11'

test('an address names a check by its UUID, or by ping key and slug', () => {
  assert.deepEqual(parseRecipient(`${UUID}@${DOMAIN}`, DOMAIN), { uuid: UUID.toLowerCase() })
  assert.deepEqual(parseRecipient(`${KEY}+db-backup_1@${DOMAIN}`, DOMAIN), {
    pingKey: KEY,
    slug: 'db-backup_1',
  })
  assert.deepEqual(parseRecipient(`${UUID}@PING.Example.org`, DOMAIN), { uuid: UUID.toLowerCase() })
})

const refused: [string, string][] = [
  ['alice@example.org', '550 5.1.1 Recipient rejected'],
  [`${UUID}@example.org`, '550 5.1.1 Recipient rejected'],
  [`${UUID}@sub.${DOMAIN}`, '550 5.1.1 Recipient rejected'],
  ['postmaster', '550 5.1.1 Recipient rejected'],
  [`alice@${DOMAIN}`, '550 5.1.1 Invalid mailbox'],
  [`${UUID}+start@${DOMAIN}`, '550 5.1.1 Invalid mailbox'],
  [`${UUID.replace('-47', '-17')}@${DOMAIN}`, '550 5.1.1 Invalid mailbox'],
  [`${UUID.replace('-8a', '-|a').replace('-8A', '-|A')}@${DOMAIN}`, '550 5.1.1 Invalid mailbox'],
  [`${KEY}+Backup@${DOMAIN}`, '550 5.1.1 Invalid mailbox'],
  [`${KEY}x+backup@${DOMAIN}`, '550 5.1.1 Invalid mailbox'],
  [`${KEY}+a+b@${DOMAIN}`, '550 5.1.1 Invalid mailbox'],
  [`${KEY}+@${DOMAIN}`, '550 5.1.1 Invalid mailbox'],
]

for (const [address, answer] of refused) {
  test(`mail to ${address} is refused: ${answer}`, async () => {
    const client = await world.talk()
    await client.say('EHLO job.example.org')
    await client.say('MAIL FROM:<cron@job.example.org>')
    assert.equal(await client.say(`RCPT TO:<${address}>`), answer)
    assert.match(await client.say('DATA'), /^503 /)
    client.socket.destroy()
  })
}

test('one e-mail pings every check that it is sent to, and an address of none harms nobody', async () => {
  const one = await world.addCheck()
  const two = await world.addCheck({ slug: 'nightly' })
  await world.send([
    `${one}@${DOMAIN}`,
    `${randomUUID()}@${DOMAIN}`,
    `${world.pingKey}+nightly@${DOMAIN}`,
    `${world.pingKey}+nobody@${DOMAIN}`,
  ])
  assert.equal(await world.pings(one), 1)
  assert.equal(await world.pings(two), 1)
  const outcomes = world.events.map(({ outcome }) => outcome)
  assert.deepEqual(outcomes, ['ok', 'not-found', 'ok', 'not-found'])
})

test('recipients beyond what fits with the declared size are refused for now, and the others count', async () => {
  const checks = [await world.addCheck(), await world.addCheck(), await world.addCheck()]
  const client = await world.talk()
  await client.say('EHLO job.example.org')
  await client.say('MAIL FROM:<cron@job.example.org> SIZE=16000000')
  const answers: string[] = []
  for (const uuid of checks) answers.push(await client.say(`RCPT TO:<${uuid}@${DOMAIN}>`))
  assert.deepEqual(
    answers.map(answer => answer.slice(0, 9)),
    ['250 Accep', '250 Accep', '452 4.5.3'],
  )
  assert.match(await client.say('DATA'), /^354/)
  assert.match(await client.say('x\r\n.'), /^250/)
  client.socket.destroy()
  assert.deepEqual(await Promise.all(checks.map(uuid => world.pings(uuid))), [1, 1, 0])
})

test('an e-mail that turns out too large for its recipients is refused for good, and one to few counts', async () => {
  const checks = [await world.addCheck(), await world.addCheck(), await world.addCheck()]
  const raw = 'x'.repeat(13_000_000)
  const send = (to: string[]) =>
    world.send(to, {
      raw,
      envelope: { from: 'cron@job.example.org', to: to.map(uuid => `${uuid}@${DOMAIN}`) },
    })
  await assert.rejects(send(checks), { responseCode: 552, message: /5\.3\.4 Message too large for so many/ })
  assert.deepEqual(await Promise.all(checks.map(uuid => world.pings(uuid))), [0, 0, 0])
  await send(checks.slice(0, 2))
  assert.deepEqual(await Promise.all(checks.map(uuid => world.pings(uuid))), [1, 1, 0])
})

for (const size of [20_000, 200_000, 3_000_000]) {
  test(`an e-mail of ${size} bytes to unknown addresses is answered as any, and not handed to the database`, async t => {
    const bodies: (number | null)[] = []
    const { store } = world
    const record: Store['pings']['record'] = async pings => {
      bodies.push(...pings.map(({ body }) => body?.length ?? null))
      return await store.pings.record(pings)
    }
    const pings = new PingQueue(pingStore(record), new Changes(), () => {})
    const own = await openSmtpWorld({ pings, namedByMail: targets => store.pings.namedByMail(targets) }, t)
    const known = `${await world.addCheck()}@${DOMAIN}`
    const raw = 'x'.repeat(size)
    for (const to of [`${randomUUID()}@${DOMAIN}`, `${world.pingKey}+nobody@${DOMAIN}`, known]) {
      const sent = await own.send(to, { raw, envelope: { from: 'cron@job.example.org', to } })
      assert.match(sent.response, /^250 OK/)
    }
    assert.deepEqual(
      own.events.map(({ outcome }) => outcome),
      ['not-found', 'not-found', 'ok'],
    )
    assert.deepEqual(
      bodies.map(length => length !== null && length > 0),
      [false, false, true],
    )
  })
}

test('the log names what became of an e-mail without what a ping needs', async () => {
  const uuid = await world.addCheck({ slug: 'secret' })
  world.events.length = 0
  await world.send([`${uuid}@${DOMAIN}`, `${world.pingKey}+secret@${DOMAIN}`])
  const logged = JSON.stringify(world.events)
  assert.ok(!logged.includes(uuid) && !logged.includes(world.pingKey), logged)
  assert.match(logged, /cron@job\.example\.org/)
})

test('a slug that two checks share pings neither', async () => {
  const checks = [await world.addCheck({ slug: 'twin' }), await world.addCheck({ slug: 'twin' })]
  world.events.length = 0
  await world.send(`${world.pingKey}+twin@${DOMAIN}`)
  assert.deepEqual(
    world.events.map(({ outcome }) => outcome),
    ['ambiguous'],
  )
  assert.deepEqual(await Promise.all(checks.map(uuid => world.pings(uuid))), [0, 0])
})

test('the ping tells where the e-mail came from and keeps it whole', async () => {
  const uuid = await world.addCheck({ methods: 'POST' })
  const raw = `Subject: done\r\n\r\n${'x'.repeat(50_000)}\r\n..dots\r\n\u00ff`
  const { ping, body } = await world.sent(uuid, Buffer.from(raw, 'latin1'))
  assert.equal(ping.action, 'success')
  assert.equal(ping.scheme, 'email')
  assert.equal(ping.method, '')
  assert.equal(ping.ua, 'Email from cron@job.example.org')
  assert.equal(ping.remoteAddr, '127.0.0.1')
  assert.equal(ping.rid, null)
  assert.equal(ping.exitStatus, null)
  assert.ok(Buffer.from(body!).toString('latin1').startsWith(raw), 'the body is not what was sent')
})

test('a bounce, which has no sender, is a ping like any other', async () => {
  const uuid = await world.addCheck()
  const client = await world.talk()
  assert.match(await client.begin(`${uuid}@${DOMAIN}`, ''), /^354/)
  assert.match(await client.say('Subject: failure notice\r\n\r\nx\r\n.'), /^250/)
  client.socket.destroy()
  assert.equal((await world.lastPing(uuid))?.ping.ua, 'Email from <>')
})

test('a paused check that is to be resumed by hand ignores e-mails', async () => {
  const uuid = await world.addCheck({ manualResume: true })
  await world.store.checks.pause(world.projectId, uuid, world.clock.now())
  await world.send(`${uuid}@${DOMAIN}`)
  assert.equal((await world.lastPing(uuid))?.ping.action, 'ign')
})
