/** The ping queue, on its own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { isTemporary } from '../../../src/actions/pings/ping-refusals.js'
import { PingQueue } from '../../../src/actions/pings/record-pings.js'
import type { ArrivedPing, PingOutcome, RecordedPings } from '../../../src/core/pings/arrived-ping.js'
import { Changes } from '../../../src/lib/changes.js'
import { isUnavailable } from '../../../src/storage/errors.js'
import { FakeClock } from '../../_support/clock.js'
import { pingStore } from '../../_support/ping-store.js'

const ping = { arrivedAt: 0, body: null } as ArrivedPing

const committed = (pings: readonly ArrivedPing[]): RecordedPings => ({
  outcomes: pings.map(() => ({}) as PingOutcome),
  errors: [],
  wakeAt: null,
  alerts: false,
})

test('a ping that arrives as a batch ends does not wait for another', async () => {
  const commits: Promise<RecordedPings>[] = []
  let commit = () => {}
  const first = new Promise<RecordedPings>(resolve => {
    commit = () => resolve(committed([ping]))
  })
  const queue = new PingQueue(
    pingStore(pings => {
      commits.push(commits.length === 0 ? first : Promise.resolve(committed(pings)))
      return commits.at(-1)!
    }),
    new Changes(),
    assert.fail,
  )
  const answered = queue.record(ping)
  while (commits.length === 0) await setImmediate()
  // Heard right after the queue hears it, and before whoever waits for the queue to be empty.
  const late = first.then(() => {
    void queue.record(ping)
  })
  commit()
  await Promise.all([answered, late])
  for (let turn = 0; turn < 10; turn++) await setImmediate()
  assert.equal(commits.length, 2)
  assert.equal(queue.length, 0)
})

test('a batch starts within a turn of the event loop and takes half of a long queue', async () => {
  const batches: number[][] = []
  const done: (() => void)[] = []
  const record = (pings: readonly ArrivedPing[]) =>
    new Promise<RecordedPings>(resolve => {
      batches.push(pings.map(({ arrivedAt }) => arrivedAt))
      done.push(() => resolve(committed(pings)))
    })
  const queue = new PingQueue(pingStore(record), new Changes(), assert.fail)
  const sizes = [32, 39, 32, 7]
  const answers = Array.from({ length: 60 }, (_, n) => queue.record({ ...ping, arrivedAt: n }))
  assert.equal(batches.length, 1)
  for (let n = 60; n < 110; n++) answers.push(queue.record({ ...ping, arrivedAt: n }))
  for (let batch = 0; batch < sizes.length; batch++) {
    assert.equal(batches.length, batch + 1)
    done[batch]!()
    for (let turn = 0; turn < 5; turn++) await setImmediate()
  }
  await Promise.all(answers)
  assert.deepEqual(
    batches.map(({ length }) => length),
    sizes,
  )
  assert.deepEqual(
    batches.flat(),
    Array.from({ length: 110 }, (_, n) => n),
  )
})

test('large bodies are recorded in batches of their own, so that alerts do not wait for all of them', async () => {
  const sizes: number[] = []
  const record = async (pings: readonly ArrivedPing[]) => {
    sizes.push(pings.length)
    return committed(pings)
  }
  const queue = new PingQueue(pingStore(record), new Changes(), assert.fail)
  const [large, small] = [20_000_000, 1_500_000].map(length => ({ ...ping, body: new Uint8Array(length) }))
  await Promise.all([large, large, small, small, small, ping].map(one => queue.record(one!)))
  assert.deepEqual(sizes, [1, 1, 2, 2])
})

for (const outcome of ['committed', 'refused'] as const) {
  test(`waiting for a batch under way, which is ${outcome}, does not include later ones`, async () => {
    const ends: (() => void)[] = []
    const record = (pings: readonly ArrivedPing[]) =>
      new Promise<RecordedPings>((resolve, reject) => {
        const full = Object.assign(new Error('the disk is full'), { code: 'SQLITE_FULL' })
        ends.push(() => (outcome === 'committed' ? resolve(committed(pings)) : reject(full)))
      })
    const queue = new PingQueue(pingStore(record), new Changes(), assert.fail)
    const told: string[] = []
    const first = queue.record(ping).then(
      () => told.push('ping'),
      () => told.push('ping'),
    )
    while (ends.length === 0) await setImmediate()
    const settled = queue.settled().then(() => told.push('settled'))
    const second = queue.record(ping).catch(() => {})
    ends[0]!()
    await Promise.all([first, settled])
    assert.deepEqual(told.sort(), ['ping', 'settled'])
    assert.equal(ends.length, 2)
    ends[1]!()
    await Promise.all([second, queue.settled()])
  })
}

test('if the database takes part of a batch, only the rest is retried or refused', async () => {
  const asked: number[][] = []
  const recordPings = async (pings: readonly ArrivedPing[]): Promise<RecordedPings> => {
    asked.push(pings.map(({ arrivedAt }) => arrivedAt))
    if (asked.length > 1 && pings.some(({ arrivedAt }) => arrivedAt === 3)) throw new Error('not this one')
    const refused = asked.length === 1 ? [1, 4, 2, 3] : []
    return {
      ...committed(pings),
      outcomes: pings.map(({ arrivedAt }) => (refused.includes(arrivedAt) ? 'refused' : 'ok')),
      ...(refused.length > 0 && { refusal: new Error('not these') }),
    }
  }
  const queue = new PingQueue(pingStore(recordPings), new Changes(), assert.fail)
  const record = (...arrived: number[]) =>
    queue.recordTogether(arrived.map(at => ({ ...ping, arrivedAt: at })))
  const answers = await Promise.allSettled([record(0), record(1, 4), record(2), record(3), record(5)])
  assert.deepEqual(
    answers.map(answer => (answer.status === 'fulfilled' ? answer.value : String(answer.reason))),
    [['ok'], ['ok', 'ok'], ['ok'], 'Error: not this one', ['ok']],
  )
  assert.deepEqual(asked, [[0, 1, 4, 2, 3, 5], [1, 4, 2], [3]])
  await queue.settled()
  assert.equal(queue.length, 0)
})

test('a ping without an answer after eight seconds is refused, as are those behind it', async t => {
  // The queue keeps no process from ending.
  const alive = setInterval(() => {}, 1_000)
  t.after(() => clearInterval(alive))
  let commit = () => {}
  const record = (pings: readonly ArrivedPing[]) =>
    new Promise<RecordedPings>(resolve => {
      commit = () => resolve({ ...committed(pings), outcomes: pings.map(() => 'ok') })
    })
  const queue = new PingQueue(pingStore(record), new Changes(), assert.fail, undefined, {
    now: () => 8_000,
  })
  const from = performance.now()
  const first = assert.rejects(queue.record(ping), isUnavailable)
  for (let turn = 0; turn < 3; turn++) await setImmediate()
  const second = assert.rejects(queue.record({ ...ping, arrivedAt: 5 }), isUnavailable)
  await Promise.all([first, second])
  assert.ok(performance.now() - from >= 8_000)
  assert.deepEqual([queue.length, queue.hearing.heardUntil(9_000)], [0, 0])
  commit()
  await queue.settled()
  queue.hearing.missed.committed(8_000)
  assert.deepEqual(queue.hearing.missed.over(), [{ from: 0, to: 8_000 }])
})

for (const [code, ofRow] of [
  ['SQLITE_BUSY', false],
  ['55P03', true],
] as const) {
  const what = ofRow ? 'a locked row are tried' : 'a locked database are refused with it'
  test(`pings behind one that timed out on ${what}`, async () => {
    const locked = Object.assign(new Error('lock timeout'), { code })
    let fail: (() => void) | null = null
    const record = (pings: readonly ArrivedPing[]) =>
      new Promise<RecordedPings>((resolve, reject) => {
        if (fail) resolve(committed(pings))
        else fail = () => reject(locked)
      })
    const queue = new PingQueue(pingStore(record), new Changes(), assert.fail)
    const first = assert.rejects(queue.record(ping), isUnavailable)
    for (let turn = 0; turn < 3; turn++) await setImmediate()
    const second = queue.record(ping)
    const answered = ofRow ? second : assert.rejects(second, isUnavailable)
    fail!()
    await Promise.all([first, answered])
    assert.equal(queue.length, 0)
  })
}

for (const [code, counts] of [
  ['53100', true],
  ['42501', true],
  ['SQLITE_FULL', true],
  ['23505', true],
  ['2200H', true],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', true],
  ['22P05', false],
  ['SQLITE_TOOBIG', false],
] as const) {
  test(`a ping that is refused with ${code} ${counts ? 'holds' : 'does not hold'} later deadlines`, async () => {
    const record = () => Promise.reject(Object.assign(new Error('refused'), { code }))
    const queue = new PingQueue(pingStore(record), new Changes(), assert.fail, undefined, {
      now: () => 100,
    })
    await assert.rejects(queue.record(ping))
    await queue.settled()
    assert.equal(queue.hearing.heardUntil(1_000), counts ? 0 : 1_000)
  })
}

for (const code of ['22021', 'SQLITE_TOOBIG', undefined]) {
  test(`pings that are all refused with ${code ?? 'no code'} hold later deadlines, and ask once why`, async () => {
    let asked = 0
    const refuse = () => Promise.reject(Object.assign(new Error('refused'), code && { code }))
    const trial = () => {
      asked++
      return refuse()
    }
    const store = pingStore(refuse, trial)
    const queue = new PingQueue(store, new Changes(), assert.fail, undefined, { now: () => 100 })
    const answers = await Promise.allSettled([1, 2, 3].map(at => queue.record({ ...ping, arrivedAt: at })))
    for (const answer of answers) {
      assert.equal(answer.status, 'rejected')
      assert.ok(isTemporary(answer.reason))
      assert.equal(answer.reason.message, 'the database refuses every ping: refused')
    }
    assert.equal(asked, 1)
    assert.equal(queue.hearing.heardUntil(1_000), 1)
  })
}

test('a trial ping is made once for all pings that are refused for what they contain', async () => {
  let asked = 0
  const trial = async () => {
    asked++
  }
  const record = async (pings: readonly ArrivedPing[]): Promise<RecordedPings> => {
    if (pings.some(({ arrivedAt }) => arrivedAt > 4)) throw new Error('not these')
    return committed(pings)
  }
  const queue = new PingQueue(pingStore(record, trial), new Changes(), assert.fail)
  const answers = await Promise.allSettled(
    [1, 2, 3, 4, 5, 6, 7, 8].map(at => queue.record({ ...ping, arrivedAt: at })),
  )
  assert.deepEqual(
    answers.map(({ status }) => status === 'fulfilled'),
    [true, true, true, true, false, false, false, false],
  )
  assert.equal(asked, 1)
})

test('a ping that is being read holds later deadlines for at most a second', () => {
  const queue = new PingQueue(
    pingStore(async pings => committed(pings)),
    new Changes(),
    assert.fail,
  )
  const readFirst = queue.hearing.arriving(100)
  const readSecond = queue.hearing.arriving(300)
  assert.equal(queue.hearing.heardUntil(400), 100)
  readFirst()
  assert.equal(queue.hearing.heardUntil(500), 300)
  assert.equal(queue.hearing.heardUntil(1_301), 301)
  readSecond()
  assert.equal(queue.hearing.heardUntil(1_400), 1_400)
})

test('after a process stops accepting pings, it vouches for no later time', () => {
  const queue = new PingQueue(
    pingStore(async pings => committed(pings)),
    new Changes(),
    assert.fail,
  )
  assert.equal(queue.hearing.heardUntil(1_000), 1_000)
  queue.hearing.close(1_500)
  assert.equal(queue.hearing.heardUntil(1_400), 1_400)
  assert.equal(queue.hearing.heardUntil(2_000), 1_500)
})

test('after a stall, it vouches for no time in which pings may be unread', () => {
  const queue = new PingQueue(
    pingStore(() => assert.fail()),
    new Changes(),
    assert.fail,
  )
  queue.hearing.stalls.note(performance.now() - 2_000)
  const heardUntil = queue.hearing.heardUntil(10_000)
  assert.ok(heardUntil <= 8_000 && Number.isInteger(heardUntil), `${heardUntil}`)
})

test('pings of a part of the checks that cannot be reached are refused at once, and hold no others', async () => {
  const error = Object.assign(new Error('time out'), { code: 'GONE', timedOut: true })
  const batches: number[] = []
  const record = async (pings: readonly ArrivedPing[]): Promise<RecordedPings> => {
    batches.push(pings.length)
    const { outcomes, ...rest } = committed(pings)
    if (pings.length === 1) return { ...rest, outcomes: ['ok'] }
    return { ...rest, outcomes: ['ok', 'refused', 'ok'], refusal: error, away: new Map([[1, 'a']]) }
  }
  const clock = { now: () => 1_000 }
  const queue = new PingQueue(pingStore(record), new Changes(), assert.fail, undefined, clock)
  const answers = Promise.allSettled([1, 2, 3].map(arrivedAt => queue.record({ ...ping, arrivedAt })))
  await setImmediate()
  const next = Promise.allSettled([queue.record({ ...ping, arrivedAt: 4 })])
  assert.deepEqual(
    [...(await answers), ...(await next)].map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
  assert.deepEqual(batches, [3, 1], 'it is not tried again')
  await queue.settled()
  assert.equal(queue.hearing.heardUntil(1_000), 1_000)
  assert.deepEqual(queue.hearing.behind(), { a: 2 })
})

test('a ping that began to arrive before the clock was set back is recorded with its arrival by the new clock', async () => {
  const clock = new FakeClock()
  const recorded: number[] = []
  let free = () => {}
  const locked = new Promise<void>(resolve => {
    free = resolve
  })
  const store = pingStore(
    async pings => {
      recorded.push(...pings.map(({ arrivedAt }) => arrivedAt))
      if (recorded.length > 1) return committed(pings)
      const outcomes = pings.map(() => 'locked' as const)
      return { ...committed(pings), outcomes, locked: new Map([[0, { checkId: 1, projectId: 1 }]]) }
    },
    async () => {},
    () => locked,
  )
  const queue = new PingQueue(store, new Changes(), assert.fail, undefined, clock)
  const to = (uuid: string, arrivedAt: number) => ({ ...ping, target: { uuid }, arrivedAt })
  const waiting = to('7e1c0b6e-0f0a-4d3c-8c43-0c1f5a1f5a10', clock.now())
  const slow = to('0c4e4f0a-74a9-4b4e-9a43-2f1d5a1f5a10', clock.now() + 1_000)
  const first = queue.record(waiting)
  while (recorded.length === 0) await setImmediate()
  clock.advance(2)
  queue.hearing.heardUntil(clock.now())
  clock.advance(-3_600)
  const now = clock.now()
  await queue.record(slow)
  free()
  await first
  const [before, body, behind] = recorded
  assert.equal(before, waiting.arrivedAt)
  for (const [at, agoMs] of [
    [body, 1_000],
    [behind, 2_000],
  ] as const)
    assert.ok(at! <= now - agoMs && at! > now - agoMs - 1_000, `${now - at!}`)
  assert.equal(queue.hearing.missed.hasRecorded(now + 1), false)
})
