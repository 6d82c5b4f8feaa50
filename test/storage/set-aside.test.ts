/** What is left out of the work on many because it failed alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Among, type Failed, SetAside } from '../../src/storage/set-aside.js'

/** Work on checks with the IDs 1 to 8, or up to `last`, which fails while one of `bad` is among them. */
function open({
  bad = [5],
  last = 8,
  code = 'XX001',
}: {
  bad?: number[]
  last?: number
  code?: string
} = {}) {
  let now = 0
  const failed: Failed[] = []
  const all = Array.from({ length: last }, (_, place) => place + 1)
  const broken = new Set(bad)
  const done: number[] = []
  let transactions = 0
  const aside = new SetAside(
    'check',
    one => failed.push(one),
    () => now,
  )
  const without = (except: readonly number[]) => all.filter(id => !except.includes(id))
  const work = async ({ only = all, except = [] }: Among) => {
    const ids = only.filter(id => !except.includes(id))
    transactions++
    if (ids.some(id => broken.has(id))) throw Object.assign(new Error('a bad row'), { code })
    done.push(...ids)
  }
  return {
    aside,
    failed,
    broken,
    pause(ms: number) {
      now += ms
    },
    /** A pass. Returns what was done, and in how many transactions, those that failed too. */
    async pass(ms = 0) {
      now += ms
      done.length = 0
      transactions = 0
      await aside.pass(async except => without(except), work)
      return { done: done.toSorted((a, b) => a - b), transactions }
    },
  }
}

test('what fails alone is found, and everything else is done in the same pass', async () => {
  const { aside, failed, pass } = open()
  assert.deepEqual(await pass(), { done: [1, 2, 3, 4, 6, 7, 8], transactions: 7 })
  assert.deepEqual(
    failed.map(({ what, id, pauseMs }) => [what, id, pauseMs]),
    [['check', 5, 1_000]],
  )
  assert.equal(aside.ids.length, 1)
})

test('what failed is left out for pauses that grow to ten seconds if it is alone', async () => {
  const { failed, pass } = open()
  await pass()
  assert.deepEqual(await pass(999), { done: [1, 2, 3, 4, 6, 7, 8], transactions: 1 })
  assert.deepEqual(await pass(1), { done: [1, 2, 3, 4, 6, 7, 8], transactions: 2 })
  for (let times = 0; times < 8; times++) await pass(60_000)
  assert.deepEqual(
    failed.map(({ pauseMs }) => pauseMs / 1_000),
    [1, 2, 4, 8, 10, 10, 10, 10, 10, 10],
  )
})

test('of all that failed one is tried in ten seconds, and each once a minute', async () => {
  const { failed, pass } = open({ bad: [1, 2, 3, 4, 5, 6, 7, 8] })
  await pass()
  const tried: number[] = []
  for (let second = 1; second <= 900; second++) {
    const before = failed.length
    await pass(1_000)
    if (second > 300) tried.push(failed.length - before)
  }
  const inTens = Array.from({ length: 60 }, (_, ten) => tried.slice(10 * ten, 10 * ten + 10))
  for (const counts of inTens) assert.ok(counts.some(count => count > 0))
  const all = tried.reduce((sum, count) => sum + count, 0)
  assert.ok(all <= 10 * 8 + 60, `${all} tries in ten minutes`)
  for (let id = 1; id <= 8; id++) assert.ok(failed.slice(-all).filter(one => one.id === id).length >= 9)
})

test('what failed for one reason is tried again within ten seconds after that, however long it lasted', async () => {
  const { aside, broken, pass } = open({ bad: [1, 2, 3, 4, 5, 6, 7, 8] })
  await pass()
  for (let second = 1; second <= 310; second++) await pass(1_000)
  assert.equal(aside.ids.length, 8)
  broken.clear()
  for (let second = 1; second <= 10; second++) await pass(1_000)
  assert.deepEqual(aside.ids, [])
})

test('a wait for the end of a pause ends when another one succeeds', { timeout: 20_000 }, async () => {
  const { aside, pass } = open({ bad: [2, 5] })
  const pauses = () => [2, 5].map(id => aside.pauseOf(id))
  while (Math.max(...pauses()) < 40_000) await pass(1_000)
  const [last, first] = aside.pauseOf(2) > aside.pauseOf(5) ? [2, 5] : [5, 2]
  const waits = aside.wait(last, new AbortController().signal)
  aside.succeed(first)
  await waits
  assert.equal(aside.pauseOf(last), 0)
})

test('when one succeeds again, the others are tried at once', async () => {
  const { aside, broken, pass } = open({ bad: [2, 5] })
  await pass()
  broken.delete(5)
  await pass(1_000)
  assert.equal(aside.ids.length, 1)
  broken.delete(2)
  assert.ok((await pass()).done.includes(2))
  assert.equal(aside.ids.length, 0)
})

test('what is not tried any more after its pause is forgotten', async () => {
  const { aside, pass, pause } = open()
  await pass()
  pause(121_000)
  assert.deepEqual(aside.ids, [5])
  pause(1)
  assert.deepEqual(aside.ids, [])
})

test('a database that does nothing at all sets nothing aside', async () => {
  const { aside, pass } = open({ code: '57P01' })
  await assert.rejects(pass(), /a bad row/)
  assert.equal(aside.ids.length, 0)
})

test('what fails with nothing to do sets nothing aside', async () => {
  const { aside, pass, broken } = open()
  await pass()
  assert.equal(aside.ids.length, 1)
  const fails = () => Promise.reject(new Error('nobody may write'))
  await assert.rejects(
    aside.pass(async () => [], fails),
    /nobody may write/,
  )
  assert.equal(aside.ids.length, 0)
  broken.clear()
  assert.equal((await pass()).done.length, 8)
})

test('if very many fail, the pass fails, and what was set aside is tried again all the same', async () => {
  const all = Array.from({ length: 300 }, (_, place) => place + 1)
  const { aside, broken, pass } = open({ bad: all, last: 300 })
  await assert.rejects(pass(), /a bad row/)
  assert.equal(aside.ids.length, 200)
  for (let id = 1; id <= 100; id++) broken.delete(id)
  await assert.rejects(pass(1_000), /a bad row/)
  await pass(0)
  assert.equal(aside.ids.length, 200)
})

test('what is tried alone and fails is left out for its pause', async () => {
  const { aside, failed, pause } = open()
  let tries = 0
  const fails = async () => {
    tries++
    throw new Error('a bad row')
  }
  await aside.tryAlone(1, fails)
  await aside.tryAlone(1, fails)
  assert.deepEqual([tries, aside.ids], [1, [1]])
  pause(1_000)
  await aside.tryAlone(1, fails)
  assert.equal(tries, 2)
  pause(2_000)
  await aside.tryAlone(1, async () => {})
  assert.deepEqual(aside.ids, [])
  assert.equal(failed.length, 2)
})
