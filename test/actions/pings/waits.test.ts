/** How long senders wait for the answers of the ping queue. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { PingQueue } from '../../../src/actions/pings/record-pings.js'
import type { ArrivedPing, RecordedPings } from '../../../src/core/pings/arrived-ping.js'
import { Changes } from '../../../src/lib/changes.js'
import { partOfCheck } from '../../../src/storage/instance/parts.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { passTime, turnsUntil } from '../../_support/pass-time.js'
import { pingStore } from '../../_support/ping-store.js'

const NOW = 1_000_000
const CHECK_ID = 7

test('a start that waited for a lock is recorded with its wait', async t => {
  const { queue, send, lock, recorded, answered } = world(t)
  lock(true)
  send('start')
  await turnsUntil(() => queue.locked === 1)
  lock(false)
  t.mock.timers.tick(3_000)
  await turnsUntil(() => answered.length === 1)
  assert.deepEqual(recorded, [[['start', undefined, false]], [['start', 3_000, false]]])
  await turns()
  assert.deepEqual(waitsIn(recorded), [])
})

test('what a sender waits for while its start is written is recorded before what comes next', async t => {
  const { queue, send, slowBy, recorded, answered } = world(t)
  slowBy(2_000)
  send('start')
  await turnsUntil(() => recorded.length === 1)
  send('success')
  await turnsUntil(() => recorded.length === 2)
  assert.deepEqual(recorded, [
    [['start', undefined, false]],
    [
      ['start', 2_000, true],
      ['success', 2_000, false],
    ],
  ])
  await turnsUntil(() => answered.length === 2)
  assert.deepEqual([queue.length, queue.hearing.heardUntil(NOW + 1)], [0, NOW + 1])
})

test('the deadlines of a check wait until it is on disk how long the sender of a start waited', async t => {
  const { queue, send, slowBy, lock, recorded, answered, clock } = world(t)
  slowBy(2_000)
  send('start')
  await turnsUntil(() => recorded.length === 1)
  clock.now += 2_000
  lock(true)
  await turnsUntil(() => answered.length === 1)
  assert.deepEqual([queue.hearing.heardUntil(clock.now), queue.hearing.behind()], [NOW, {}])
  await turnsUntil(() => queue.locked === 1)
  const behind = { [partOfCheck(CHECK_ID)]: NOW }
  assert.deepEqual([queue.hearing.heardUntil(clock.now), queue.hearing.behind()], [clock.now, behind])
})

test('short waits are left aside, and those of pings that leave no run', async t => {
  const { send, slowBy, recorded, answered } = world(t)
  slowBy(500)
  send('start')
  await turnsUntil(() => answered.length === 1)
  slowBy(2_000)
  send('success')
  await turnsUntil(() => answered.length === 2)
  await turns()
  assert.deepEqual(recorded, [[['start', undefined, false]], [['success', undefined, false]]])
})

test('a wait ends when the sender is told that there is no answer yet', async t => {
  const { send, slowBy, recorded, answered } = world(t)
  slowBy(20_000)
  send('start')
  await turnsUntil(() => answered.length === 1)
  await turnsUntil(() => recorded.length === 2)
  assert.deepEqual(waitsIn(recorded), [['start', 8_000, true]])
})

test('a wait is recorded when the database answers again after its start was refused', async t => {
  const { queue, send, slowBy, lose, recover, recorded, answered } = world(t)
  slowBy(8_000)
  lose(true)
  send('start')
  send('success')
  await turnsUntil(() => answered.length === 2)
  await turns()
  assert.deepEqual([waitsIn(recorded), queue.length], [[], 0], 'while it does not answer')
  recover()
  await turnsUntil(() => waitsIn(recorded).length === 1)
  await turns()
  assert.deepEqual(waitsIn(recorded), [['start', 8_000, true]], 'it is not recorded now either')
  lose(false)
  recover()
  await turnsUntil(() => waitsIn(recorded).length === 2)
  await turns()
  assert.deepEqual(waitsIn(recorded)[1], ['start', 8_000, true])
  recover()
  await turns()
  assert.equal(waitsIn(recorded).length, 2)
})

test('a wait whose check stays locked is recorded when the check is free', async t => {
  const { queue, send, slowBy, lock, recover, recorded, answered } = world(t)
  slowBy(2_000)
  send('start')
  await turnsUntil(() => recorded.length === 1)
  lock(true)
  await turnsUntil(() => answered.length === 1 && queue.locked === 1)
  t.mock.timers.tick(9_000)
  await turnsUntil(() => queue.hearing.missed.failingParts.length === 1)
  lock(false)
  await turns()
  const before = recorded.length
  recover()
  await turnsUntil(() => recorded.length === before + 1)
  assert.deepEqual(recorded[before], [['start', 2_000, true]])
})

test('a ping that was refused at once has no wait', async t => {
  const { send, lose, recover, recorded, answered } = world(t)
  lose(true)
  send('start')
  await turnsUntil(() => answered.length === 1)
  lose(false)
  recover()
  await turns()
  assert.deepEqual(recorded, [[['start', undefined, false]]])
})

test('a wait does not create its check again', async t => {
  const { queue, slowBy, pings } = world(t)
  slowBy(2_000)
  const target = { pingKey: 'key', slug: 'new', create: true }
  const start = arrivedPing(target, NOW, { action: 'start', body: Uint8Array.of(1) })
  assert.equal(await queue.record(start), 'ok')
  await turnsUntil(() => pings.length === 2)
  assert.deepEqual(pings[1]!.target, { ...target, create: false })
  assert.equal(pings[1]!.body, null)
})

type Seen = [action: string, waitedMs: number | undefined, isRecorded: boolean]

function world(t: TestContext) {
  passTime(t)
  const recorded: Seen[][] = []
  const pings: ArrivedPing[] = []
  const answered: unknown[] = []
  const clock = { now: NOW }
  let [isLocked, isLost, ms] = [false, false, 0]
  const record = async (batch: readonly ArrivedPing[]): Promise<RecordedPings> => {
    recorded.push(
      batch.map(({ action, waitedMs, isRecorded }): Seen => [action, waitedMs, isRecorded === true]),
    )
    pings.push(...batch)
    const outcome = isLocked ? 'locked' : 'ok'
    const locked = new Map(
      isLocked ? batch.map((_, place) => [place, { checkId: CHECK_ID, projectId: 1 }]) : [],
    )
    await setImmediate()
    t.mock.timers.tick(ms)
    ms = 0
    if (isLost) throw Object.assign(new Error('time out'), { code: 'GONE', timedOut: true })
    return { outcomes: batch.map(() => outcome), errors: [], wakeAt: null, alerts: false, locked }
  }
  const isFree = () => turnsUntil(() => !isLocked)
  const store = pingStore(record, undefined, isFree)
  const changes = new Changes()
  const queue = new PingQueue(store, changes, assert.fail, undefined, {
    now: () => clock.now,
  })
  const send = (action: ArrivedPing['action']) => {
    const sent = queue.record(arrivedPing({ uuid: 'a' }, NOW, { action }))
    const note = (outcome: unknown) => answered.push(outcome)
    sent.then(note, note)
  }
  return {
    ...{ queue, send, recorded, pings, answered, clock },
    /** The answers of the database are lost from now on, or not any more. */
    lose: (is: boolean) => {
      isLost = is
    },
    /** It is found out that pings can be recorded again. */
    recover: () => {
      const { missed } = queue.hearing
      const wasPart = missed.recovered([partOfCheck(CHECK_ID)], clock.now)
      if (missed.committed(clock.now) || wasPart) changes.emit('trouble', {})
    },
    lock: (is: boolean) => {
      isLocked = is
    },
    /** The next batch takes so long (ms). */
    slowBy: (takenMs: number) => {
      ms = takenMs
    },
  }
}

function waitsIn(recorded: readonly Seen[][]): Seen[] {
  return recorded.flat().filter(([, , isRecorded]) => isRecorded)
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate()
}
