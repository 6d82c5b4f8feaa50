import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Refusal } from '../../src/core/errors.js'
import type { Noun } from '../../src/storage/events/acting.js'
import type { Whose } from '../../src/storage/method.js'
import { byNoun } from '../../src/storage/store.js'
import { type Call, Turns } from '../../src/storage/turns.js'
import { passTime } from '../_support/pass-time.js'
import { openFreshStore } from '../_support/worlds/store.js'

const NOW = Date.UTC(2026, 0, 15, 12)

test('a long list of one project does not wait for all those that another has asked for', async t => {
  const { store, remove } = await openFreshStore()
  t.after(remove)
  const create = (name: string) => store.projects.create({ name, ownerId: null, pingKey: null, now: NOW })
  const busy = await create('busy')
  const quiet = await create('quiet')
  const answered: string[] = []
  const list = async ({ id, name }: { id: number; name: string }) => {
    const viewer = { projectId: id, version: 3, access: 'ro', now: NOW } as const
    await store.checks.showList(viewer, { slug: null, tags: [] })
    answered.push(name)
  }
  await Promise.all([...Array.from({ length: 20 }, () => list(busy)), list(quiet)])
  assert.equal(answered.length, 21)
  assert.ok(answered.indexOf('quiet') <= 2, `${answered}`)
})

test('one project has one long read at a time, and several have two', async () => {
  const { mostAtOnce, call } = counted()
  const read = new Turns({ inAll: 1, perKey: 1 }).of('longRead', call) as (whose: Whose) => Promise<void>
  const mostOf = (asked: readonly Whose[]) => mostAtOnce(asked.map(whose => () => read(whose)))
  assert.equal(await mostOf([1, { projectId: 1 }, { id: 1 }, [1], [{ id: 1 }, { id: 2 }]]), 1)
  assert.equal(await mostOf(['a', ['a', 'b'], 'a']), 1)
  assert.equal(await mostOf([[], []]), 1)
  assert.equal(await mostOf([1, 2, 3, 'a', []]), 2)
})

test('a long read that nobody waits for any more is not begun', async () => {
  let begun = 0
  let finish = () => {}
  const turns = new Turns({ inAll: 1, perKey: 1 })
  const call = turns.of('longRead', async () => {
    begun++
    await new Promise<void>(resolve => (finish = resolve))
  }) as (this: Noun, whose: Whose) => Promise<void>
  let isHere = true
  const asked = [1, 2, 3].map(() => call.call({ isWanted: () => isHere }, 1))
  const answers = Promise.allSettled(asked)
  isHere = false
  finish()
  const refused = { status: 'rejected', reason: new Refusal('gone', 'nobody waits for the answer') }
  assert.deepEqual(await answers, [{ status: 'fulfilled', value: undefined }, refused, refused])
  assert.equal(begun, 1)
})

test('the writes of one caller leave room for those of others, and what Punctual itself writes never waits', async () => {
  const { mostAtOnce, call } = counted()
  const turns = new Turns({ inAll: 3, perKey: 2 })
  for (const kind of ['write', 'announcedWrite'] as const) {
    const write = turns.of(kind, call)
    const by = (id: string | null, address = '') => {
      const actor = { kind: id === null ? 'link' : 'key', id, name: '', address } as const
      return () => write.call({ actor })
    }
    const byItself = () => write.call({})
    assert.equal(await mostAtOnce([by('a'), by('a'), by('a'), by('a')]), 2)
    assert.equal(await mostAtOnce([by('a'), by('a'), by('a'), by('b'), by('c')]), 3)
    assert.equal(await mostAtOnce([by(null, '1'), by(null, '1'), by(null, '1'), by(null, '2')]), 3)
    assert.equal(await mostAtOnce([by('a'), by('a'), by('b'), byItself, byItself, byItself]), 6)
  }
  const quick = turns.of('read', call)
  assert.equal(quick, call)
})

test('creations of one caller do not wait for each other, so that they can share a transaction', async () => {
  const { mostAtOnce, call } = counted()
  const methods = [
    ['checks.create', 'announcedWrite'],
    ['checks.update', 'announcedWrite'],
  ] as const
  const { checks } = byNoun(methods, () => call, new Turns({ inAll: 3, perKey: 2 }))
  const actor = { kind: 'key', id: 'a', name: '', address: null } as const
  const { create, update } = Object.assign(checks, { actor }) as unknown as Record<
    string,
    () => Promise<unknown>
  >
  const times = (method: (() => Promise<unknown>) | undefined) =>
    mostAtOnce(Array.from({ length: 9 }, () => () => method!.call(checks)))
  assert.deepEqual([await times(create), await times(update)], [9, 2])
})

test('what writes much runs one at a time, also what Punctual itself writes, and callers share the turns of one method', async t => {
  passTime(t)
  const turns = new Turns({ inAll: 3, perKey: 2 })
  const log: string[] = []
  const methodOf = (name: string) =>
    turns.of(
      'costlyWrite',
      async (who: string) => {
        log.push(who)
        await new Promise(resolve => setTimeout(resolve, 20))
      },
      { name },
    ) as (this: Noun, who: string) => Promise<void>
  const [steps, acknowledge] = [methodOf('steps'), methodOf('acknowledge')]
  const by = (id: string) => {
    void acknowledge.call({ actor: { kind: 'key', id, name: '', address: null } }, id)
  }
  for (const id of ['a', 'a', 'a', 'b', 'c']) by(id)
  void steps.call({}, 'steps')
  void steps.call({}, 'steps')
  for (let turn = 0; turn < 7; turn++) {
    for (const part of ['task', 'pause']) {
      for (let settled = 0; settled < 20; settled++) await nextTurn()
      if (part === 'task') assert.equal(log.length, turn + 1)
      t.mock.timers.tick(20)
    }
  }
  assert.equal(log.filter(who => who === 'steps').length, 2)
  assert.ok(log.lastIndexOf('steps') <= 4, `${log}`)
  assert.ok(log.indexOf('c') < log.lastIndexOf('a'), `${log}`)
})

/** A call of the store that takes a moment, and how many of several run at once at most. */
function counted() {
  let running = 0
  let most = 0
  const call: Call = async () => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
  }
  const mostAtOnce = async (calls: readonly (() => Promise<unknown>)[]) => {
    most = 0
    await Promise.all(calls.map(start => start()))
    return most
  }
  return { mostAtOnce, call }
}
