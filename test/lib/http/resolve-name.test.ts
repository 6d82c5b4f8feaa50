import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveName } from '../../../src/lib/http/resolve-name.js'

test('names in the hosts file are resolved without a name server', async () => {
  const found = await resolveName('localhost')
  assert.ok(found.some(({ address, family }) => address === '127.0.0.1' && family === 4))
})

test('any name under localhost is this machine, without a query', async () => {
  const found = await resolveName('hooks.localhost')
  assert.deepEqual(
    found.map(({ address }) => address),
    ['127.0.0.1', '::1'],
  )
})

test('a name that cannot exist is refused without a query', async () => {
  // What a name server says has a code.
  await assert.rejects(resolveName('nobody.invalid'), error => {
    assert.equal((error as Error).message, 'nobody.invalid does not exist')
    return !('code' in (error as Error))
  })
})
