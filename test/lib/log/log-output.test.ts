/** The log goes on when it cannot be written for a while. */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { createLog, type Log } from '../../../src/lib/log/log.js'
import { LogOutput } from '../../../src/lib/log/log-output.js'

/** A stream that fails while it is told to, as standard error does. */
class Stream extends EventEmitter {
  text = ''
  isFull = false

  write(line: string, done: (error?: Error | null) => void): boolean {
    const error = this.isFull ? Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }) : null
    if (!error) this.text += line
    process.nextTick(() => {
      done(error)
      if (error) this.emit('error', error)
    })
    return true
  }
}

const turn = () => new Promise(setImmediate)

test('lines that cannot be written are counted, and the log says so when it can be written again', async () => {
  const stream = new Stream()
  const output = new LogOutput(stream as never, lines => log.error('lines of the log were lost', { lines }))
  const log: Log = createLog({ format: 'pretty', level: 'error', write: line => output.write(line) })
  log.error('one')
  stream.isFull = true
  log.error('two')
  log.error('three')
  await turn()
  log.error('four')
  await turn()
  stream.isFull = false
  log.error('five')
  log.error('six')
  await turn()
  log.error('seven')
  await turn()
  assert.deepEqual(
    stream.text.split('\n').map(line => line.replace(/^\S+ error /, '')),
    ['one', '', 'lines of the log were lost lines=3', 'five', 'six', 'seven', ''],
  )
})
