/** The turns of requests with large bodies. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { LargeBodies } from '../../src/http/native/serve/large-bodies.js'

function world() {
  const large = new LargeBodies()
  const running: string[] = []
  const ends = new Map<string, () => void>()
  const run = (name: string, isWanted = () => true) =>
    large.run(name.charCodeAt(0), isWanted, async () => {
      running.push(name)
      await new Promise<void>(resolve => ends.set(name, resolve))
    })
  const end = async (name: string) => {
    ends.get(name)!()
    for (let turn = 0; turn < 3; turn++) await setImmediate()
  }
  return { run, running, end }
}

test('one of a project is carried out at a time, and three of all, in turn', async () => {
  const { run, running, end } = world()
  const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'd1'].map(name => run(name))
  assert.deepEqual(running, ['a1', 'b1', 'c1'])
  await end('a1')
  assert.deepEqual(running.slice(3), ['a2'])
  await end('a2')
  assert.deepEqual(running.slice(4), ['d1'])
  for (const name of ['b1', 'c1', 'd1', 'a3']) await end(name)
  await Promise.all(all)
  assert.deepEqual(running, ['a1', 'b1', 'c1', 'a2', 'd1', 'a3'])
})

test('a project that asks for more than its share is refused, and others find a place', async () => {
  const { run, running } = world()
  const asked = Array.from({ length: 20 }, (_, n) => run(`a${n}`))
  const refused = await Promise.allSettled(asked.slice(17))
  assert.ok(refused.every(one => one.status === 'rejected' && one.reason.code === 'too-many'))
  run('b1')
  assert.deepEqual(running, ['a0', 'b1'])
})

test('one that nobody waits for any more is not carried out', async () => {
  const { run, running, end } = world()
  let isWanted = true
  run('a1')
  const second = run('a2', () => isWanted)
  isWanted = false
  await Promise.all([end('a1'), assert.rejects(second, { code: 'gone' })])
  assert.deepEqual(running, ['a1'])
})
