import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { OutputTail } from '../../src/lib/output-tail.js'

test('the last bytes of streams are kept, however they are split', async () => {
  const output = new OutputTail(4)
  const streams = [
    ['ab', 'c', 'defgh'],
    ['i', 'j'],
  ].map(chunks => Readable.from(chunks.map(text => Buffer.from(text))))
  for (const stream of streams) {
    output.read(stream)
    await new Promise(resolve => stream.once('end', resolve))
  }
  assert.equal(output.toString(), 'ghij')
})

test('a long stream is read slowly, but to its end', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const output = new OutputTail(4)
  let chunks = 0
  const stream = new Readable({
    highWaterMark: 65_536,
    read() {
      this.push(chunks++ < 100 ? Buffer.alloc(65_536, 'x') : chunks === 101 ? Buffer.from('end!') : null)
    },
  })
  let ended = false
  stream.once('end', () => (ended = true))
  output.read(stream)
  const settle = async () => {
    for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate)
  }
  await settle()
  assert.ok(chunks < 25, `${chunks} chunks without a pause`)
  for (let pause = 0; pause < 200 && !ended; pause++) {
    t.mock.timers.tick(20)
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  }
  assert.equal(output.toString(), 'end!')
})
