import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryWhileDiskFull } from '../../src/compose/retry-while-disk-full.js'

const full = (code: string) => Object.assign(new Error('the disk is full'), { code })

test('a start on a full disk is retried until there is space', async () => {
  const said: unknown[] = []
  const errors = [full('SQLITE_FULL'), full('53100')]
  const write = async () => {
    const error = errors.shift()
    if (error) throw error
    return 'written'
  }
  const result = await retryWhileDiskFull(
    write,
    { onFull: error => said.push(error), isEnding: () => false },
    1,
  )
  assert.equal(result, 'written')
  assert.equal(said.length, 2)
})

test('a start that waits for disk space can be ended', async () => {
  let ending = false
  const write = () => Promise.reject(full('SQLITE_FULL'))
  const onFull = () => {
    ending = true
  }
  assert.equal(await retryWhileDiskFull(write, { onFull, isEnding: () => ending }, 1), null)
})

test('a start that fails for another reason ends at once', async () => {
  const write = () => Promise.reject(full('SQLITE_CORRUPT'))
  await assert.rejects(
    retryWhileDiskFull(write, { onFull: assert.fail, isEnding: () => false }),
    /the disk is full/,
  )
})
