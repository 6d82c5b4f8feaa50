/** The ping queue while very many pings of a project wait. Decision 0158. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { MOST_CREATED } from '../../../src/core/pings/most-created.js'
import { eventually } from '../../_support/eventually.js'
import { passTime, turnsUntil } from '../../_support/pass-time.js'
import { idOf, lockedQueue, MOST_OF_PROJECT } from '../../_support/worlds/locked-queue.js'

for (const [first, second] of [
  ['new', 'new'],
  ['new', 'locked'],
  ['locked', 'new'],
  ['locked', 'locked'],
] as const) {
  test(`pings of ${second} checks wait although as many of ${first} ones of another project do as may`, async t => {
    const { queue, send, create, locked, answers, batches } = lockedQueue(projectOfBob)
    passTime(t)
    const names = Array.from({ length: MOST_OF_PROJECT + 1 }, (_, n) => String.fromCharCode(1_000 + n))
    const sendAs = (kind: 'new' | 'locked', name: string) => {
      locked.add(name)
      if (kind === 'new') create(name)
      else send(`${name}1`)
    }
    for (const name of names) sendAs(first, name)
    await turnsUntil(() => answers.size > 0)
    assert.deepEqual([queue.locked, answers.size], [MOST_OF_PROJECT, 1])
    sendAs(second, 'b')
    await turnsUntil(() => queue.locked === MOST_OF_PROJECT + 1)
    locked.delete('b')
    batches.length = 0
    t.mock.timers.tick(400)
    await turnsUntil(() => answers.get('b1') === 'ok')
    assert.ok(batches.length <= 2, `${batches.length} batches`)
    queue.refuseLocked()
    await turnsUntil(() => answers.size === names.length + 1)
  })
}

test('of new checks that wait, those of projects are created in turn, and of each in order', async t => {
  const { queue, create, locked, recorded, answers } = lockedQueue(id => (id < 2_000 ? 1 : 2))
  passTime(t)
  const [ofAlice, ofBob] = [1_000, 2_000].map(first =>
    Array.from({ length: 100 }, (_, n) => String.fromCharCode(first + n)),
  )
  const names = [...ofAlice!, ...ofBob!]
  for (const name of names) {
    locked.add(name)
    create(name)
  }
  await turnsUntil(() => queue.locked === names.length)
  locked.clear()
  for (let created = MOST_CREATED; created <= 3 * MOST_CREATED; created += MOST_CREATED) {
    t.mock.timers.tick(20)
    await turnsUntil(() => answers.size === created)
    assert.equal(recorded.filter(name => ofBob!.includes(name[0]!)).length, created / 2)
  }
  for (let turn = 0; turn < 10; turn++) {
    t.mock.timers.tick(20)
    for (let n = 0; n < 20; n++) await setImmediate()
  }
  for (const some of [ofAlice!, ofBob!]) {
    const own = recorded.map(name => name[0]!).filter(name => some.includes(name))
    assert.deepEqual(own, some)
  }
})

test('a new check is created in its turn while others of its project wait, and one of another at once', async t => {
  const { queue, create, locked, answers, batches } = lockedQueue(projectOfBob)
  passTime(t)
  locked.add('a')
  create('a')
  await turnsUntil(() => queue.locked === 1)
  for (const name of ['c', 'b']) create(name)
  await turnsUntil(() => answers.has('b1'))
  assert.deepEqual([queue.locked, answers.size], [2, 1])
  batches.length = 0
  locked.clear()
  t.mock.timers.tick(20)
  await turnsUntil(() => answers.size === 3)
  assert.deepEqual(batches, [['a1', 'c1']])
})

test('a ping that causes many alerts has its turn beside projects that send such all the time', async () => {
  const { send, alerting, recorded, answers } = lockedQueue(projectOfThree)
  const names = Array.from({ length: 40 }, (_, place) => String.fromCharCode(1_000 + place))
  for (const name of [...names, String.fromCharCode(2_000)]) alerting.add(name)
  for (const name of names) send(`${name}1`)
  send(`${String.fromCharCode(2_000)}1`)
  await eventually(() => answers.size === 41)
  assert.ok(recorded.indexOf(`${String.fromCharCode(2_000)}1`) < 6, recorded.join())
})

test('a ping that was locked, and then causes too many alerts beside others, has its turn', async () => {
  const { queue, send, locked, alerting, answers } = lockedQueue()
  const names = Array.from({ length: 20 }, (_, place) => String.fromCharCode(1_000 + place))
  for (const name of names) {
    locked.add(name)
    send(`${name}1`)
  }
  await eventually(() => queue.locked === names.length)
  for (const name of names) alerting.add(name)
  locked.clear()
  await eventually(() => answers.size === names.length)
  assert.ok([...answers.values()].every(answer => answer === 'ok'))
})

/** The checks from 2,000 on are of a project, and the others of two. */
function projectOfThree(checkId: number): number {
  return checkId >= 2_000 ? 3 : 1 + (checkId % 2)
}

/** The check b is of another project than all others. */
function projectOfBob(checkId: number): number {
  return checkId === idOf('b') ? 2 : 1
}

test('pings that cause many alerts are tried a few at a time, apart from those of others', async () => {
  const { send, alerting, answers, batches } = lockedQueue()
  const names = Array.from({ length: 20 }, (_, place) => String.fromCharCode(97 + place))
  for (const name of names) {
    alerting.add(name)
    send(`${name}1`)
  }
  send('z1')
  await eventually(() => answers.size === 21)
  assert.ok([...answers.values()].every(answer => answer === 'ok'))
  const [together, ...apart] = batches
  assert.equal(together!.length, 21)
  assert.ok(apart.length >= 10 && apart.every(batch => batch.length <= 8))
})
