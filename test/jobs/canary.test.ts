import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { CanaryNews } from '../../src/actions/instance/compose-canary-notice.js'
import { type CanaryDeps, canaryJob } from '../../src/jobs/canary.js'
import { FakeClock } from '../_support/clock.js'
import { eventually } from '../_support/eventually.js'
import { openTestStore } from '../_support/worlds/store.js'

/** A canary whose requests come to what `answer` says, each a minute after the one before. */
async function startCanary(t: TestContext, more: Partial<CanaryDeps> = {}) {
  const store = await openTestStore(t)
  const clock = new FakeClock()
  const state = { answer: null as string | null, requests: 0 }
  const failures: string[] = []
  const changes: CanaryNews[] = []
  const sent: CanaryNews[] = []
  const errors: unknown[] = []
  const start = () => {
    const job = canaryJob({
      store,
      clock,
      async request() {
        clock.advance(60)
        state.requests++
        return state.answer
      },
      onFailure: reason => failures.push(reason),
      onChange: news => changes.push(news),
      notify: async news => void sent.push(news),
      onError: error => errors.push(error),
      intervalMs: 20,
      ...more,
    })
    job.start()
    t.after(() => job.stop())
    return job
  }
  /** Resolves when so many more requests were sent and judged. */
  const requests = (more: number) => {
    const from = state.requests
    return eventually(() => state.requests > from + more)
  }
  return { store, clock, state, failures, changes, sent, errors, start, requests }
}

test('the operator gets one e-mail when pings cannot arrive, and one when they can again', async t => {
  const { state, failures, changes, sent, start, requests } = await startCanary(t)
  const job = start()
  assert.equal(job.reached(), null)
  await requests(1)
  assert.deepEqual([job.reached(), job.trouble()], [true, null])
  state.answer = 'it was answered 502'
  await eventually(() => changes.length === 1)
  assert.deepEqual([changes[0]!.until, changes[0]!.reason], [null, 'it was answered 502'])
  assert.deepEqual([failures, job.reached()], [['it was answered 502'], false])
  assert.match(job.trouble()!, /cannot reach/)
  await requests(2)
  state.answer = null
  await eventually(() => changes.length === 2)
  assert.equal(changes[1]!.since, changes[0]!.since)
  assert.ok(changes[1]!.until! > changes[1]!.since)
  await eventually(() => job.trouble() === null)
  await eventually(() => sent.length === 2)
  assert.deepEqual(sent, changes)
})

test('an endpoint that never answered is logged once and changes nothing else', async t => {
  const { state, failures, changes, start, requests } = await startCanary(t)
  state.answer = 'Connection failed'
  const job = start()
  await requests(5)
  assert.deepEqual([failures, changes, job.trouble()], [['Connection failed'], [], null])
})

test('a process that starts while pings cannot arrive reports the end of that', async t => {
  const { state, changes, start, requests } = await startCanary(t)
  const before = start()
  await requests(1)
  state.answer = 'Connection failed'
  await eventually(() => changes.length === 1)
  await before.stop()
  const after = start()
  await eventually(() => after.trouble() !== null)
  assert.equal(changes.length, 1)
  state.answer = null
  await eventually(() => changes.length === 2)
  assert.equal(changes[1]!.since, changes[0]!.since)
})

test('an e-mail that could not be sent is sent after a later request', async t => {
  let tries = 0
  const received: CanaryNews[] = []
  const notify = async (news: CanaryNews) => {
    if (++tries < 3) throw new Error('no route to host')
    received.push(news)
  }
  const { state, changes, errors, start, requests } = await startCanary(t, { notify })
  start()
  await requests(1)
  state.answer = 'Connection failed'
  await eventually(() => received.length === 1)
  assert.deepEqual(received, changes)
  assert.equal(errors.length, 2)
})

test('a request that hangs is aborted when the process stops', async t => {
  const request = (signal: AbortSignal) =>
    new Promise<string | null>(resolve => signal.addEventListener('abort', () => resolve('aborted')))
  const { failures, start } = await startCanary(t, { request })
  await start().stop()
  assert.deepEqual(failures, [])
})
