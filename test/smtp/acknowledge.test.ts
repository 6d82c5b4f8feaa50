import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { createTransport } from 'nodemailer'
import tlsOptions from 'smtp-server/lib/tls-options.js'
import { QueueFull } from '../../src/actions/pings/ping-refusals.js'
import { type MailDeps, type MailTarget, recordMail } from '../../src/actions/pings/record-mail.js'
import { PingQueue } from '../../src/actions/pings/record-pings.js'
import { Changes } from '../../src/lib/changes.js'
import { MailReaderBusy } from '../../src/lib/mail/mail-reader.js'
import { partOfCheck } from '../../src/storage/instance/parts.js'
import type { Store } from '../../src/storage/store.js'
import { pingStore } from '../_support/ping-store.js'
import { DOMAIN, openSmtpWorld } from '../_support/servers/smtp-world.js'

type RecordPings = Store['pings']['record']

function queueOn(record: RecordPings): PingQueue {
  return new PingQueue(pingStore(record), new Changes(), () => {})
}

test('the answer waits for the commit', async t => {
  let commit = (): void => {}
  const committed = new Promise<void>(resolve => {
    commit = resolve
  })
  const order: string[] = []
  let world = await openSmtpWorld({}, t)
  const { store } = world
  world = await openSmtpWorld(
    {
      pings: queueOn(async pings => {
        await committed
        order.push('committed')
        return await store.pings.record(pings)
      }),
    },
    t,
  )
  const client = await world.talk()
  await client.begin(`3cba109f-0c06-47ea-8a3c-2f7d6a5f0e11@${DOMAIN}`)
  const answered = client.say('x\r\n.').then(reply => {
    order.push(reply.slice(0, 3))
  })
  await world.send(`not-ours@example.org`).catch(() => order.push('meanwhile'))
  commit()
  await answered
  client.socket.destroy()
  assert.deepEqual(order, ['meanwhile', 'committed', '250'])
})

const troubles: [string, Error][] = [
  ['the disk is full', Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })],
  ['the database is away', Object.assign(new Error('the database thread ended'), { code: 'GONE' })],
  ['of something nobody thought of', new Error('surprise')],
]

for (const [name, error] of troubles) {
  test(`a commit that fails because ${name} makes the sender try again`, async t => {
    const errors: unknown[] = []
    const world = await openSmtpWorld(
      {
        pings: queueOn(() => Promise.reject(error)),
        onError: found => errors.push(found),
      },
      t,
    )
    const uuid = await world.addCheck()
    await assert.rejects(world.send(`${uuid}@${DOMAIN}`), { responseCode: 451 })
    assert.deepEqual(errors, [error])
  })
}

test('an e-mail to several checks is recorded for all of them or for none', async t => {
  const world = await openSmtpWorld({ pings: queueOn(pings => real.recordPings(pings)) }, t)
  let broken = ''
  const real: { recordPings: RecordPings } = {
    recordPings: async pings => {
      if (pings.some(({ target, mail }) => 'uuid' in target && target.uuid === broken && mail !== null)) {
        throw new Error('surprise')
      }
      return await world.store.pings.record(pings)
    },
  }
  const plain = await world.addCheck()
  broken = await world.addCheck({ filterSubject: true, successKw: 'Hello' })
  const to = [plain, broken].map(uuid => `${uuid}@${DOMAIN}`)
  await assert.rejects(world.send(to), { responseCode: 451 })
  assert.deepEqual([await world.pings(plain), await world.pings(broken)], [0, 0])
  broken = ''
  await world.send(to)
  assert.equal(await world.pings(plain), 1)
})

test('a full queue, and too many e-mails to read, make the sender try again', async t => {
  const full = new QueueFull('too many pings are waiting')
  const queue = {
    recordTogether: () => Promise.reject(full),
    hearing: { arriving: () => () => {}, turnedAway: () => {} },
  }
  for (const options of [
    { pings: queue as unknown as PingQueue },
    { readMail: () => Promise.reject(new MailReaderBusy('busy')) },
  ]) {
    const world = await openSmtpWorld(options, t)
    const uuid = await world.addCheck({ filterSubject: true, successKw: 'OK' })
    await assert.rejects(world.send(`${uuid}@${DOMAIN}`), { responseCode: 451 })
    assert.equal(await world.pings(uuid), 0)
    assert.deepEqual(world.errors, [])
  }
})

for (const [name, options, rules] of [
  ['looking up its checks', { namedByMail: () => new Promise<never>(() => {}) }, {}],
  ['reading it', { readMail: () => new Promise<never>(() => {}) }, { filterSubject: true, successKw: 'OK' }],
] as const) {
  test(`an e-mail is refused within eight seconds, and holds later deadlines, when ${name} hangs`, async t => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const pings = queueOn(pings => world.store.pings.record(pings))
    const asked = new EventEmitter()
    const told = (what: () => Promise<never>) => () => {
      asked.emit('asked')
      return what()
    }
    const hanging = Object.fromEntries(Object.entries(options).map(([key, what]) => [key, told(what)]))
    const world = await openSmtpWorld({ pings, ...hanging }, t)
    const uuids = [await world.addCheck(rules), await world.addCheck()]
    const mail = {
      targets: uuids.map(uuid => ({ uuid })),
      sender: '',
      remoteAddr: null,
      raw: Buffer.from('Subject: x\r\n\r\nx'),
    }
    const at = Date.now()
    const stamp = () => ({ ms: at, us: 0 })
    const namedByMail = (targets: readonly MailTarget[]) => world.store.pings.namedByMail(targets)
    const deps = { pings, stamp, namedByMail, readMail: async () => null, ...hanging }
    const isAsked = once(asked, 'asked')
    const refused = assert.rejects(recordMail(deps, mail), { name: 'NoAnswerYet' })
    await isAsked
    // Those of the checks that it names, once these are known.
    const heard = (now: number) =>
      Math.min(pings.hearing.heardUntil(now), ...Object.values(pings.hearing.behind()))
    assert.equal(heard(at + 7_000), at, 'until it is known what became of it')
    t.mock.timers.tick(8_000)
    await refused
    assert.equal(heard(at + 9_000), at)
  })
}

test('an e-mail that is read too late holds the deadlines of the checks that it names, and no others', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const pings = queueOn(pings => world.store.pings.record(pings))
  const asked = new EventEmitter()
  const turns: string[] = []
  const readMail: MailDeps['readMail'] = (_raw, { turn }) => {
    turns.push(turn)
    asked.emit('asked')
    return new Promise(() => {})
  }
  const world = await openSmtpWorld({ pings, readMail }, t)
  const uuid = await world.addCheck({ filterSubject: true, successKw: 'OK' })
  const at = Date.now()
  const deps = {
    pings,
    stamp: () => ({ ms: at, us: 0 }),
    namedByMail: world.store.pings.namedByMail,
    readMail,
  }
  const mail = { targets: [{ uuid }], sender: '', remoteAddr: null, raw: Buffer.from('Subject: x\r\n\r\nx') }
  const isAsked = once(asked, 'asked')
  const refused = assert.rejects(recordMail(deps, mail), { name: 'NoAnswerYet' })
  await isAsked
  assert.equal(pings.hearing.heardUntil(at + 7_000), at + 7_000)
  t.mock.timers.tick(8_000)
  await refused
  const [named] = await world.store.pings.namedByMail([{ uuid }])
  assert.equal(pings.hearing.heardUntil(at + 9_000), at + 9_000)
  assert.deepEqual(pings.hearing.behind(), { [partOfCheck(named!.checkId)]: at })
  assert.deepEqual(turns, [String(world.projectId)], 'projects take turns')
})

test('e-mails that together need too much memory are put off, and the memory comes back', async t => {
  const pings = queueOn(pings => world.store.pings.record(pings))
  const world = await openSmtpWorld({ sizeLimit: 100_000, pings }, t)
  const uuid = await world.addCheck()
  const half = 'x'.repeat(99_000)
  const clients = await Promise.all(Array.from({ length: 5 }, () => world.talk()))
  for (const client of clients) {
    await client.begin(`${uuid}@${DOMAIN}`)
    client.socket.write(half)
  }
  // The server has read what came before a later exchange on each connection: the fifth finds no room.
  const replies = await Promise.all(clients.map(client => client.say('\r\n.')))
  for (const { socket } of clients) socket.destroy()
  assert.ok(replies.some(reply => reply.startsWith('250')))
  for (const reply of replies) assert.match(reply, /^(250|452) /)
  const [named] = await world.store.pings.namedByMail([{ uuid }])
  assert.deepEqual(
    [pings.hearing.missed.failingParts, pings.hearing.missed.since()],
    [[partOfCheck(named!.checkId)], null],
    'the deadlines of its check wait, and no others',
  )
  await world.send(`${uuid}@${DOMAIN}`, { text: half.slice(0, 90_000) })
})

test('STARTTLS is offered where there is a certificate, and what was said before it is forgotten', async t => {
  const { key, cert } = tlsOptions({}) as { key: string; cert: string }
  const world = await openSmtpWorld({ tls: { key, cert } }, t)
  const uuid = await world.addCheck()
  const transport = createTransport({
    host: '127.0.0.1',
    port: world.port,
    requireTLS: true,
    tls: { rejectUnauthorized: false },
  })
  await transport.sendMail({ from: 'a@b.example', to: `${uuid}@${DOMAIN}`, text: 'secret' })
  assert.equal(await world.pings(uuid), 1)
  const plain = await openSmtpWorld({}, t)
  const client = await plain.talk()
  assert.doesNotMatch(await client.say('EHLO x'), /STARTTLS/)
  assert.match(await client.say('STARTTLS'), /^5/)
  client.socket.destroy()
})

test('where an address has too many connections, only the deadlines of the checks that it names wait', async t => {
  const pings = queueOn(pings => world.store.pings.record(pings))
  const world = await openSmtpWorld({ pings }, t)
  const uuid = await world.addCheck()
  const clients = await Promise.all(Array.from({ length: 100 }, () => world.talk()))
  for (const client of clients.slice(0, 50)) assert.match(await client.begin(`${uuid}@${DOMAIN}`), /^354 /)
  const [spare, other] = clients.slice(50)
  assert.match(await other!.begin('4dd1d9ba-7b24-4ee1-8e6c-47bd9d9a6f2c@ping.example.org'), /^452 4\.7\.0 /)
  assert.deepEqual([pings.hearing.missed.failingParts, pings.hearing.missed.since()], [[], null])
  const refused = await world.talk()
  if (!refused.socket.closed) await once(refused.socket, 'close')
  assert.match(await spare!.begin(`${uuid}@${DOMAIN}`), /^452 4\.7\.0 Too many connections/)
  const [named] = await world.store.pings.namedByMail([{ uuid }])
  assert.deepEqual(
    [pings.hearing.missed.failingParts, pings.hearing.missed.since()],
    [[partOfCheck(named!.checkId)], null],
  )
  const replies = []
  for (let n = 0; n < 100; n++) replies.push(await spare!.say(`RCPT TO:<${uuid}@${DOMAIN}>`))
  assert.deepEqual([replies.at(-2)!.slice(0, 3), replies.at(-1)!.slice(0, 3)], ['452', '421'])
  for (const { socket } of clients) socket.destroy()
})
