/** The ping queue while another transaction has locked some checks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { isTemporary } from '../../../src/actions/pings/ping-refusals.js'
import { partOfCheck, partOfProject } from '../../../src/storage/instance/parts.js'
import { eventually } from '../../_support/eventually.js'
import { passTime, turnsUntil } from '../../_support/pass-time.js'
import { idOf, lockedQueue, MOST_OF_PROJECT, NOW, ping } from '../../_support/worlds/locked-queue.js'

test('pings of a locked check wait apart, in order, and others are answered', async () => {
  const { queue, send, locked, recorded, answers } = lockedQueue()
  locked.add('a')
  for (const name of ['a1', 'b1', 'a2', 'c1']) send(name)
  await eventually(() => answers.has('b1') && answers.has('c1'))
  send('a3')
  send('b2')
  await eventually(() => answers.has('b2'))
  assert.deepEqual([queue.length, queue.locked], [0, 3])
  await queue.settled()
  locked.clear()
  send('a4')
  await eventually(() => answers.size === 7)
  assert.deepEqual(
    recorded.filter(name => name.startsWith('a')),
    ['a1', 'a2', 'a3', 'a4'],
  )
  assert.ok([...answers.values()].every(answer => answer === 'ok'))
  assert.deepEqual([queue.locked, queue.hearing.behind()], [0, {}])
})

test('pings by another name wait behind those that are locked', async () => {
  const { queue, send, locked, recorded, answers } = lockedQueue()
  locked.add('a')
  send('a1')
  await eventually(() => queue.locked === 1)
  send('a2', { pingKey: 'key', slug: 'a', create: false })
  await eventually(() => queue.locked === 2)
  // It is free, but not tried again yet.
  locked.clear()
  send('a3', { pingKey: 'key', slug: 'a', create: false })
  await eventually(() => answers.size === 3)
  assert.deepEqual(recorded, ['a1', 'a2', 'a3'])
})

test('pings of a batch that name a check in several ways keep their order', async () => {
  const { queue, send, locked, recorded, answers } = lockedQueue()
  locked.add('a')
  send('a1')
  await eventually(() => queue.locked === 1)
  send('a2', { pingKey: 'key', slug: 'a', create: false })
  send('a3')
  await eventually(() => queue.locked === 3)
  locked.clear()
  await eventually(() => answers.size === 3)
  assert.deepEqual(recorded, ['a1', 'a2', 'a3'])
})

test('a ping without create waits behind the one that creates its check', async () => {
  const { queue, send, locked, uncreated, answers, batches } = lockedQueue()
  locked.add('a')
  uncreated.add('a')
  send('a1', { pingKey: 'key', slug: 'a', create: true })
  await eventually(() => queue.locked === 1)
  // In one batch: the first of them is looked for by its slug.
  send('b1', { pingKey: 'key', slug: 'b', create: false })
  send('a2', { pingKey: 'key', slug: 'a', create: false })
  await eventually(() => answers.has('b1') && queue.locked === 2)
  assert.ok(batches.every(batch => !batch.includes('a2')))
  locked.clear()
  await eventually(() => answers.size === 3)
})

test('an e-mail that was not read yet goes to the database, and one that was waits', async () => {
  const { queue, send, locked, answers, batches } = lockedQueue()
  locked.add('a')
  send('a1')
  await eventually(() => queue.locked === 1)
  queue.record({ ...ping('a2'), mail: null })
  queue.record({ ...ping('a3'), mail: { subject: '', body: '' } })
  await eventually(() => queue.locked === 3)
  assert.ok(batches.some(batch => batch[0] === 'a2'))
  locked.clear()
  await eventually(() => answers.size === 1 && queue.locked === 0)
})

test('the deadlines of a check wait that was created while its ping waits', async () => {
  const { queue, send, locked, uncreated, answers } = lockedQueue()
  locked.add('a')
  uncreated.add('a')
  send('a1', { pingKey: 'key', slug: 'a', create: true })
  await eventually(() => queue.locked === 1)
  assert.deepEqual(queue.hearing.behind(), {})
  uncreated.clear()
  await eventually(() => Object.keys(queue.hearing.behind()).length === 1)
  assert.deepEqual(queue.hearing.behind(), { [partOfCheck(idOf('a'))]: NOW })
  locked.clear()
  await eventually(() => answers.get('a1') === 'ok')
  assert.deepEqual([queue.locked, queue.hearing.behind()], [0, {}])
})

test('only the deadlines of locked checks wait', async () => {
  const { queue, send, locked, answers, clock } = lockedQueue()
  locked.add('a')
  send('a1')
  clock.now += 500
  for (const name of ['a2', 'b1']) send(name)
  await eventually(() => answers.has('b1') && queue.locked === 2)
  clock.now += 500
  assert.equal(queue.hearing.heardUntil(clock.now), clock.now)
  assert.deepEqual(queue.hearing.behind(), { [partOfCheck(idOf('a'))]: NOW })
  assert.equal(queue.oldestAt, null)
  locked.clear()
  await eventually(() => answers.size === 3)
  assert.deepEqual(queue.hearing.behind(), {})
})

test('pings that stay locked are refused in time, which concerns their check alone', async t => {
  const { queue, send, locked, answers, clock, recorded } = lockedQueue()
  passTime(t)
  locked.add('a')
  for (const name of ['a1', 'b1']) send(name)
  await turnsUntil(() => answers.has('b1'))
  t.mock.timers.tick(7_500)
  send('a2')
  await turnsUntil(() => queue.locked === 2)
  t.mock.timers.tick(750)
  await turnsUntil(() => answers.has('a1'))
  const refused = answers.get('a1')
  assert.ok(isTemporary(refused))
  assert.match(String(refused), /another transaction has locked the check 97,/)
  assert.equal(answers.has('a2'), false)
  assert.equal(queue.hearing.heardUntil(clock.now), clock.now)
  const part = partOfCheck(idOf('a'))
  assert.deepEqual([queue.hearing.missed.isFailing, queue.hearing.missed.failingParts], [false, [part]])
  locked.clear()
  t.mock.timers.tick(400)
  await turnsUntil(() => answers.get('a2') === 'ok')
  assert.deepEqual(recorded, ['b1', 'a2'])
  assert.deepEqual(queue.hearing.behind(), { [part]: NOW })
  queue.hearing.missed.recovered([part], clock.now)
  assert.deepEqual(
    queue.hearing.missed.over().map(missed => missed.part),
    [part],
  )
})

test('a ping that was refused while it was tried is not tried again', async t => {
  const { queue, send, locked, answers, recorded, failOnce } = lockedQueue()
  passTime(t)
  locked.add('a')
  for (const name of ['a1', 'a2']) send(name)
  await turnsUntil(() => queue.locked === 2)
  t.mock.timers.tick(7_990)
  await turnsUntil(() => queue.locked === 2)
  // Its sender is answered while it is tried, and then the whole batch fails.
  failOnce(() => t.mock.timers.tick(300))
  locked.clear()
  t.mock.timers.tick(400)
  await turnsUntil(() => answers.size === 2)
  assert.ok([...answers.values()].every(isTemporary))
  for (let turn = 0; turn < 20; turn++) await setImmediate()
  t.mock.timers.tick(1_000)
  for (let turn = 0; turn < 20; turn++) await setImmediate()
  assert.deepEqual(recorded, [])
  send('a3')
  await turnsUntil(() => answers.get('a3') === 'ok')
})

test('a ping that was refused between two attempts of its transaction leaves its place', async () => {
  const { queue, send, locked, answers, repeatInLine, recorded } = lockedQueue()
  locked.add('a')
  repeatInLine(() => queue.refuseLocked())
  send('a1')
  await eventually(() => queue.locked === 1)
  locked.clear()
  await eventually(() => answers.has('a1') && queue.locked === 0)
  assert.ok(isTemporary(answers.get('a1')))
  await eventually(() => Object.keys(queue.hearing.behind()).length === 1)
  send('a2')
  await eventually(() => answers.get('a2') === 'ok')
  assert.deepEqual(recorded, ['a2'])
})

test('pings are recorded before one of their check that needs more, which is locked', async () => {
  const { send, locked, needsMore, recorded, answers } = lockedQueue()
  locked.add('a')
  needsMore.add('a3')
  for (const name of ['a1', 'a2', 'a3', 'a4']) send(name)
  locked.clear()
  await eventually(() => answers.has('a1') && answers.has('a2'))
  assert.deepEqual([recorded, answers.size], [['a1', 'a2'], 2])
  needsMore.clear()
  await eventually(() => answers.size === 4)
  assert.deepEqual(recorded, ['a1', 'a2', 'a3', 'a4'])
})

test('many pings are recorded soon before one of their check that needs more, which is locked', async t => {
  const { send, locked, needsMore, recorded, answers } = lockedQueue()
  passTime(t)
  locked.add('a')
  const names = Array.from({ length: 60 }, (_, n) => `a${n}`)
  needsMore.add(names.at(-1)!)
  for (const name of names) send(name)
  locked.clear()
  for (let turn = 0; turn < 8; turn++) {
    t.mock.timers.tick(500)
    for (let n = 0; n < 500; n++) await setImmediate()
  }
  assert.deepEqual(recorded, names.slice(0, -1))
  needsMore.clear()
  t.mock.timers.tick(500)
  await turnsUntil(() => answers.size === names.length)
  assert.deepEqual(recorded, names)
})

test('pings that are locked when the process ends are refused, and hold their deadlines', async () => {
  const { queue, send, locked, answers, clock } = lockedQueue()
  locked.add('a')
  for (const name of ['b1', 'a1']) send(name)
  await eventually(() => queue.locked === 1)
  clock.now += 500
  queue.hearing.close(clock.now)
  await queue.settled()
  queue.refuseLocked()
  await eventually(() => answers.has('a1'))
  assert.ok(isTemporary(answers.get('a1')))
  queue.hearing.missed.end(clock.now)
  assert.deepEqual(queue.hearing.missed.over(), [
    { from: NOW, to: clock.now, part: partOfCheck(idOf('a')), projectId: 1 },
  ])
})

test('a check that is free again does not wait behind very many pings of locked ones', async () => {
  const { queue, send, locked, answers, batches } = lockedQueue()
  const names = Array.from({ length: 90 }, (_, n) => String.fromCharCode(1_000 + n))
  for (const name of [...names, 'a']) locked.add(name)
  for (let n = 0; n < 50; n++) for (const name of names) send(`${name}${n}`)
  send('a1')
  await eventually(() => queue.locked === 50 * names.length + 1)
  batches.length = 0
  locked.delete('a')
  await eventually(() => answers.get('a1') === 'ok')
  assert.ok(batches.length <= 2, `${batches.length} batches`)
  locked.clear()
  await eventually(() => answers.size === 50 * names.length + 1)
})

test('a locked ping counts as one that was written once, when it is', async () => {
  const { send, locked, answers, sizes, inLine } = lockedQueue()
  locked.add('a')
  for (const name of ['a1', 'b1']) send(name)
  await eventually(() => inLine.length > 3)
  assert.deepEqual(sizes, [1])
  locked.clear()
  await eventually(() => answers.size === 2)
  assert.deepEqual(sizes, [1, 1])
})

test('so many pings of locked checks are refused at once that others always find place', async t => {
  const { queue, send, locked, answers } = lockedQueue()
  passTime(t)
  locked.add('a')
  for (let n = 0; n <= MOST_OF_PROJECT; n++) send(`a${n}`)
  await turnsUntil(() => answers.size > 0)
  assert.deepEqual([queue.locked, answers.size], [MOST_OF_PROJECT, 1])
  assert.ok(isTemporary(answers.get(`a${MOST_OF_PROJECT}`)))
  assert.deepEqual(queue.hearing.missed.failingParts, [partOfCheck(idOf('a'))])
  send('b1')
  await turnsUntil(() => answers.get('b1') === 'ok')
})

for (const [where, projectOf, heardUntil, behind] of [
  ['a project, those of all its checks wait', () => 7, NOW + 1, { [partOfProject(7)]: NOW }],
  ['as many projects, those of all checks wait', (id: number) => id, NOW, {}],
] as const) {
  test(`if the pings of very many checks are locked, of ${where}`, async () => {
    const { queue, send, locked, answers, clock } = lockedQueue(projectOf)
    const names = Array.from({ length: 1_001 }, (_, n) => String.fromCharCode(1_000 + n))
    for (const name of names) locked.add(name)
    for (const name of names) send(`${name}1`)
    await eventually(() => queue.locked === names.length)
    clock.now += 1
    assert.deepEqual([queue.hearing.heardUntil(clock.now), queue.hearing.behind()], [heardUntil, behind])
    locked.clear()
    await eventually(() => answers.size === names.length)
    assert.deepEqual([queue.hearing.heardUntil(clock.now), queue.hearing.behind()], [clock.now, {}])
  })
}

test('the pings of an e-mail are answered together when the last is recorded', async () => {
  const { queue, locked, recorded } = lockedQueue()
  locked.add('a').add('c')
  const pings = ['a1', 'b1', 'c1', 'a2'].map(name => ping(name))
  const outcomes = queue.recordTogether(pings)
  await eventually(() => queue.locked === 3)
  await queue.settled()
  assert.deepEqual(recorded, ['b1'])
  locked.delete('c')
  await eventually(() => queue.locked === 2)
  locked.delete('a')
  assert.deepEqual(await outcomes, ['ok', 'ok', 'ok', 'ok'])
  assert.deepEqual(recorded, ['b1', 'c1', 'a1', 'a2'])
})
