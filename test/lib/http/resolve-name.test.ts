import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gate } from '../../../src/lib/gate.js'
import { resolveName } from '../../../src/lib/http/resolve-name.js'

test('names of the hosts file are known without a name server', async () => {
  const found = await resolveName('localhost')
  assert.ok(found.some(({ address, family }) => address === '127.0.0.1' && family === 4))
})

test('a name that cannot exist is refused without asking a name server', async () => {
  // What a name server says has a code.
  await assert.rejects(resolveName('nobody.invalid'), error => {
    assert.equal((error as Error).message, 'nobody.invalid does not exist')
    return !('code' in (error as Error))
  })
})

test('a gate lets so much work through at a time, in order, whether it succeeds or not', async () => {
  const gate = new Gate(2)
  const begun: number[] = []
  const ends: ((ok: boolean) => void)[] = []
  const work = [0, 1, 2, 3].map(index =>
    gate.run(async () => {
      begun.push(index)
      await new Promise<void>((resolve, reject) =>
        ends.push(ok => (ok ? resolve() : reject(new Error('no')))),
      )
    }),
  )
  const outcomes = Promise.allSettled(work)
  await new Promise(setImmediate)
  assert.deepEqual(begun, [0, 1])
  ends[1]!(false)
  await new Promise(setImmediate)
  assert.deepEqual(begun, [0, 1, 2])
  for (const index of [0, 2]) ends[index]!(true)
  await new Promise(setImmediate)
  ends[3]!(true)
  assert.deepEqual(
    (await outcomes).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
})
