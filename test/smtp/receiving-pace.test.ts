import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { collect, MemoryBudget } from '../../src/smtp/collect.js'
import { ReceivingPace } from '../../src/smtp/receiving-pace.js'

const MB = 1_000_000

test('all e-mails together go on at one pace, the networks in turns', async () => {
  const { ask, went, passed } = open()
  for (const name of ['a1', 'a2', 'a3', 'b1', 'a4', 'c1']) ask(name)
  await passed(6)
  assert.deepEqual(
    went.map(({ name }) => name),
    ['a1', 'a2', 'b1', 'c1', 'a3', 'a4'],
  )
  assert.deepEqual(
    went.map(({ atMs }) => atMs),
    [0, 125, 250, 375, 500, 625],
  )
})

test('an e-mail that goes on after a pause has nothing saved up', async () => {
  const { ask, went, passed } = open()
  ask('a1')
  await passed(1)
  for (const name of ['a2', 'a3']) ask(name)
  await passed(2)
  assert.deepEqual(
    went.map(({ atMs }) => atMs),
    [0, 125, 250],
  )
})

test('e-mails that broke off while they waited take no time from others', async () => {
  const { ask, went, passed } = open()
  ask('a1')
  for (let gone = 0; gone < 1_000; gone++) ask('b-gone', true)
  ask('a2')
  await passed(2)
  assert.equal(went.find(({ name }) => name === 'a2')?.atMs, 125)
})

test('an e-mail has its first bytes at once, and waits for a turn for each part of the rest', async () => {
  const { stream, asked, grant, collected } = receive()
  stream.write(Buffer.alloc(16_384, 'x'))
  await settled()
  assert.deepEqual(asked, [])
  for (let piece = 0; piece < 64; piece++) stream.write(Buffer.alloc(16_384, 'x'))
  stream.end()
  const taken: number[] = []
  for (let part = 0; part < 16; part++) {
    await settled()
    taken.push(asked.length)
    grant()
  }
  // Each part was asked for after the one before had been granted.
  assert.deepEqual(
    taken,
    Array.from({ length: 16 }, (_, part) => part + 1),
  )
  assert.deepEqual(new Set(asked), new Set([65_536]))
  const mail = await collected
  assert.ok(typeof mail === 'object')
  assert.equal(mail.raw.length, 65 * 16_384)
})

test('an e-mail of many short pieces waits more often than its bytes alone would', async () => {
  const { stream, asked, grant, collected } = receive()
  stream.write(Buffer.alloc(16_384, 'x'))
  for (let piece = 0; piece < 1_000; piece++) stream.write('.\r\n')
  stream.end()
  while ((await Promise.race([collected, settled()])) === undefined) grant()
  assert.equal(asked.length, Math.ceil(1_000 / 128))
})

test('an e-mail for no check takes no memory', async () => {
  const { stream, budget, asked, grant, collected, answer } = receive({ budgetBytes: 100_000 })
  stream.write(Buffer.alloc(60_000, 'x'))
  await settled()
  assert.equal(budget.reserve(100_000), false)
  answer(false)
  await settled()
  assert.equal(budget.reserve(100_000), true)
  // It goes on at its pace, and does not need the memory that others have now.
  for (let piece = 0; piece < 10; piece++) stream.write(Buffer.alloc(65_536, 'x'))
  stream.end()
  while ((await Promise.race([collected, settled()])) === undefined) grant()
  const mail = await collected
  assert.ok(typeof mail === 'object')
  assert.deepEqual([mail.raw.length, mail.length], [0, 60_000 + 10 * 65_536])
  assert.equal(asked.length, 11)
})

test('an e-mail for no check is as large as the others at most', async () => {
  const { stream, grant, collected, answer } = receive({ limit: 200_000 })
  answer(false)
  for (let piece = 0; piece < 5; piece++) stream.write(Buffer.alloc(50_000, 'x'))
  stream.end()
  while ((await Promise.race([collected, settled()])) === undefined) grant()
  assert.equal(await collected, 'too-large')
})

for (const answered of ['wanted', 'not answered', 'failed'] as const) {
  test(`an e-mail is kept if the question whether it is for a check is ${answered}`, async () => {
    const { stream, grant, collected, answer } = receive()
    if (answered === 'wanted') answer(true)
    if (answered === 'failed') answer(new Error('the database is away'))
    stream.end(Buffer.alloc(60_000, 'x'))
    while ((await Promise.race([collected, settled()])) === undefined) grant()
    // An answer that comes late changes nothing.
    answer(false)
    await settled()
    const mail = await collected
    assert.ok(typeof mail === 'object')
    assert.equal(Buffer.from(mail.raw).toString(), 'x'.repeat(60_000))
  })
}

/** A pace whose time passes only by `passed`, and e-mails of a million bytes that ask for a turn. */
function open() {
  let now = 0
  const waits: { ms: number; end(): void }[] = []
  const pace = new ReceivingPace(ms => new Promise<void>(end => waits.push({ ms, end })))
  const went: { name: string; atMs: number }[] = []
  const ask = (name: string, isGone = false) =>
    void pace.turn(name[0]!, MB, () => isGone).then(() => went.push({ name, atMs: now }))
  const passed = async (times: number) => {
    for (let time = 0; time < times; time++) {
      await settled()
      const [wait] = waits.splice(0)
      if (!wait) continue
      now += wait.ms
      wait.end()
    }
    await settled()
  }
  return { ask, went, passed }
}

/** An e-mail that is being received; each of its turns is granted by `grant`. */
function receive({ limit = 10 * MB, budgetBytes = 10 * MB } = {}) {
  const stream = new PassThrough()
  const budget = new MemoryBudget(budgetBytes)
  const asked: number[] = []
  const turns: (() => void)[] = []
  let answer = (_: boolean | Error): void => {}
  const isWanted = new Promise<boolean>((resolve, reject) => {
    answer = wanted => (wanted instanceof Error ? reject(wanted) : resolve(wanted))
  })
  isWanted.catch(() => {})
  const collected = collect(stream, {
    limit,
    budget,
    turn: bytes => {
      asked.push(bytes)
      return new Promise(grant => turns.push(grant))
    },
    isWanted: () => isWanted,
  })
  const grant = () => {
    for (const turn of turns.splice(0)) turn()
  }
  return { stream, budget, asked, grant, collected, answer: (wanted: boolean | Error) => answer(wanted) }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await setImmediate()
}
