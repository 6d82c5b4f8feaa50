import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryWhileUnavailable } from '../../src/compose/retry-while-unavailable.js'

const failure = (code: string) => Object.assign(new Error('the database refused'), { code })

/** Of a full disk, a lock, a server that starts, and one that cannot be reached. */
const PASSING = ['SQLITE_FULL', '53100', 'SQLITE_BUSY', 'SQLITE_BUSY_RECOVERY', '55P03', '57P03', 'GONE']

test('a start is retried while the database is full, locked, starting or out of reach', async () => {
  const said: unknown[] = []
  const errors = PASSING.map(failure)
  const write = async () => {
    const error = errors.shift()
    if (error) throw error
    return 'written'
  }
  const onUnavailable = (error: unknown) => said.push(error)
  assert.equal(await retryWhileUnavailable(write, { onUnavailable, isEnding: () => false }, 1), 'written')
  assert.equal(said.length, PASSING.length)
})

test('a start that waits for the database can be ended', async () => {
  let ending = false
  const write = () => Promise.reject(failure('SQLITE_FULL'))
  const onUnavailable = () => {
    ending = true
  }
  assert.equal(await retryWhileUnavailable(write, { onUnavailable, isEnding: () => ending }, 1), null)
})

for (const code of ['SQLITE_CORRUPT', 'SQLITE_READONLY', '42P01']) {
  test(`a start that fails with ${code} ends at once`, async () => {
    const write = () => Promise.reject(failure(code))
    await assert.rejects(
      retryWhileUnavailable(write, { onUnavailable: assert.fail, isEnding: () => false }),
      /the database refused/,
    )
  })
}
