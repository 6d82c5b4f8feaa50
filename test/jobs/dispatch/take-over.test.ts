/** When a process may take over what others have claimed. Decision 0102. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LEASE_MS } from '../../../src/jobs/dispatch/claims-in-hand.js'
import { TakeOver } from '../../../src/jobs/dispatch/take-over.js'

const NOW = 1_000_000
const locked = async () => {
  throw Object.assign(new Error('locked'), { code: '55P03' })
}

function open() {
  const time = { now: 0 }
  const takeOver = new TakeOver(() => time.now)
  return { time, takeOver, mayTakeOver: () => takeOver.endedBefore(NOW) === NOW }
}

test('a lock that lets queries pass is noticed until it ends', async () => {
  const { time, takeOver, mayTakeOver } = open()
  takeOver.note()
  for (; time.now < 2 * LEASE_MS.small; time.now += 1_000) {
    await takeOver.probe(locked)
    await takeOver.watch(async () => {})
    assert.equal(mayTakeOver(), false)
  }
  // The others have their time from the end of the lock.
  for (const until = time.now + LEASE_MS.small - 1_000; time.now < until; time.now += 1_000) {
    await takeOver.probe(async () => {})
    assert.equal(mayTakeOver(), false, `at ${time.now}`)
  }
  time.now += 1_000
  assert.equal(mayTakeOver(), true)
})

test('nothing is probed without trouble, and a failure for another reason is passed on', async () => {
  const { takeOver, mayTakeOver } = open()
  await takeOver.probe(locked)
  assert.equal(mayTakeOver(), true)
  takeOver.note()
  await assert.rejects(
    takeOver.probe(async () => {
      throw new Error('another')
    }),
    /another/,
  )
})
