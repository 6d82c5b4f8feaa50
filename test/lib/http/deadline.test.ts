import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { DeadlinePassed, withDeadline } from '../../../src/lib/http/deadline.js'

/** Does nothing for longer than a time limit, as a process that is frozen. */
const freeze = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500)

test('what arrived while the process was frozen is read before the time limit passes', async () => {
  const reading = withDeadline(10, undefined, signal => readFile('package.json', { signal }))
  freeze()
  assert.ok((await reading).length > 0)
})

test('a time limit that passed while the process was frozen ends what has not arrived', async () => {
  const hanging = withDeadline(
    10,
    undefined,
    signal => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )
  freeze()
  await assert.rejects(hanging, DeadlinePassed)
})
