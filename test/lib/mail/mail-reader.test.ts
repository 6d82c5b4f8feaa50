import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MailReader, MailReaderBusy } from '../../../src/lib/mail/mail-reader.js'
import { ParsingThread } from '../../../src/lib/mail/parsing-thread.js'
import { eventually } from '../../_support/eventually.js'

const mail = (subject: string) => Buffer.from(`Subject: ${subject}\r\n\r\nbody`)

test('e-mails are parsed in order', async () => {
  const reader = new MailReader()
  const read = await Promise.all(['one', 'two', 'three'].map(subject => reader.read(mail(subject))))
  assert.deepEqual(
    read.map(texts => texts?.subject),
    ['one', 'two', 'three'],
  )
})

test('an e-mail over the limit of waiting ones is refused at once', async () => {
  const reader = new MailReader({ waiting: 2 })
  const [first, second] = [reader.read(mail('one')), reader.read(mail('two'))]
  await assert.rejects(reader.read(mail('three')), MailReaderBusy)
  await Promise.all([first, second])
  assert.equal((await reader.read(mail('four')))?.subject, 'four')
})

test('an e-mail whose sender has disconnected is dropped from the queue', async () => {
  const reader = new MailReader({ waiting: 2 })
  let isThere = true
  const first = reader.read(mail('one'))
  const second = reader.read(mail('two'), { isWanted: () => isThere })
  isThere = false
  const third = reader.read(mail('three'))
  assert.equal(await second, null)
  assert.equal((await first)?.subject, 'one')
  assert.equal((await third)?.subject, 'three')
})

test('e-mails of one sender do not hold up those of others', async () => {
  const reader = new MailReader()
  const order: string[] = []
  const read = async (subject: string, turn: string) => {
    await reader.read(mail(subject), { turn })
    order.push(subject)
  }
  await Promise.all([read('a1', 'a'), read('a2', 'a'), read('a3', 'a'), read('b1', 'b'), read('c1', 'c')])
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'a3'])
})

test('where too many wait, the newest of the sender with the most is refused', async () => {
  const reader = new MailReader({ waiting: 3 })
  const [first, second, third] = ['a1', 'a2', 'a3'].map(subject => reader.read(mail(subject), { turn: 'a' }))
  const refused = assert.rejects(third!, MailReaderBusy)
  assert.equal((await reader.read(mail('b1'), { turn: 'b' }))?.subject, 'b1')
  await refused
  assert.equal((await first)?.subject, 'a1')
  assert.equal((await second)?.subject, 'a2')
})

test('texts that take longer than the reader of them waits are not had', async () => {
  const reader = new MailReader({ limitMs: 2_000 })
  const slow = reader.read(Buffer.from(`Subject: x\r\n${'\r\n'.repeat(4_000_000)}`))
  assert.equal(await reader.read(mail('one'), { withinMs: 50 }), null)
  assert.equal(await slow, null)
  assert.equal((await reader.read(mail('two'), { withinMs: 60_000 }))?.subject, 'two')
})

test('e-mails that are slow are parsed beside the others, one at a time and their senders in turn', async () => {
  const reader = new MailReader({ limitMs: 60_000, slowAfterMs: 100 })
  const slow = (subject: string) => Buffer.from(`Subject: ${subject}\r\n${'\r\n'.repeat(1_500_000)}`)
  const order: string[] = []
  const read = async (raw: Uint8Array, turn: string) => {
    order.push((await reader.read(raw, { turn }))?.subject ?? 'none')
  }
  const all = [read(slow('a1'), 'a'), read(slow('a2'), 'a'), read(slow('b1'), 'b'), read(mail('c1'), 'c')]
  await all[3]
  assert.deepEqual(order, ['c1'])
  await Promise.all(all)
  assert.deepEqual(order, ['c1', 'a1', 'b1', 'a2'])
})

test('a group whose e-mail took long waits until the others have taken as much time', async () => {
  const reader = new MailReader({ limitMs: 1_000 })
  const order: string[] = []
  const read = async (name: string, raw: Uint8Array, turn: string) => {
    await reader.read(raw, { turn })
    order.push(name)
  }
  const slow = Buffer.from(`Subject: ${'=?utf-8?Q?=C3=A4?=\r\n '.repeat(60_000)}\r\n\r\nx`)
  const all = [read('slow', slow, 'a'), read('slow', slow, 'a')]
  for (let n = 1; n <= 4; n++) all.push(read(`b${n}`, mail(`b${n}`), 'b'))
  await Promise.all(all)
  assert.deepEqual(order, ['slow', 'b1', 'b2', 'b3', 'b4', 'slow'])
})

test('a newcomer is read before those who had a turn, however much time all have taken', async () => {
  const reader = new MailReader()
  const order: string[] = []
  const read = async (subject: string, turn: string) => {
    await reader.read(mail(subject), { turn })
    order.push(subject)
  }
  const first = [read('a1', 'a'), read('b1', 'b'), read('a2', 'a'), read('b2', 'b')]
  await first[0]
  await Promise.all([...first, read('c1', 'c')])
  assert.ok(order.indexOf('c1') < order.indexOf('a2'), order.join())
})

test('an e-mail is refused if no thread can be started, and so are later ones', async () => {
  const reader = new MailReader({ memoryMb: 1 })
  await assert.rejects(reader.read(mail('one')))
  await assert.rejects(reader.read(mail('two')))
})

test('a thread that cannot be made parses nothing, and is no error but for who waits for it', async () => {
  const thread = new ParsingThread(1, () => {
    throw new Error('ERR_WORKER_INIT_FAILED: EAGAIN')
  })
  await assert.rejects(thread.started, /EAGAIN/)
  assert.equal(thread.hasEnded, true)
  assert.equal(await thread.parse(mail('one')), null)
  thread.end()
})

test('time in which the process was frozen does not count as time for parsing', async () => {
  const raw = Buffer.from(`Subject: x\r\n${'\r\n'.repeat(150_000)}`)
  // How long it takes varies on a busy machine.
  await eventually(async () => {
    const reader = new MailReader({ limitMs: 60_000, slowAfterMs: 60_000 })
    await reader.read(mail('starts the thread'))
    const startedAt = performance.now()
    await reader.read(raw)
    const takes = performance.now() - startedAt
    const limited = new MailReader({ limitMs: 0.7 * takes, slowAfterMs: 60_000 })
    await limited.read(mail('starts the thread'))
    const texts = limited.read(raw)
    await sleep(1)
    const until = performance.now() + 0.8 * takes
    while (performance.now() < until);
    return (await texts)?.subject === 'x'
  })
})

test('an e-mail that comes when the idle thread is being ended is read', async () => {
  const reader = new MailReader({ idleMs: 1 })
  for (let n = 0; n < 20; n++) {
    assert.equal((await reader.read(mail(`${n}`)))?.subject, `${n}`)
    await sleep(n % 4)
  }
})
