import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../_support/worlds/world.js'

const world = await openWorld()

test('while the database answers, the status is OK, in every version, without a key', async () => {
  for (const path of ['/api/v1/status/', '/api/v2/status', '/api/v3/status/']) {
    const { status, text, headers } = await world.get(path)
    assert.equal(status, 200)
    assert.equal(text, 'OK')
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(headers.get('access-control-allow-origin'), null)
  }
})

test('HEAD is answered as GET is, without a body', async () => {
  const { status, text } = await world.send('HEAD', '/api/v3/status/')
  assert.equal(status, 200)
  assert.equal(text, '')
})

test('when the database is gone, the status is a plain 500, and other requests are 503', async () => {
  const broken = await openWorld()
  await broken.store.close()
  const { status, text, headers } = await broken.get('/api/v3/status/')
  assert.equal(status, 500)
  assert.equal(text, 'the database does not answer')
  assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
  const list = await broken.get('/api/v3/checks/', broken.alice.rw)
  assert.equal(list.status, 503)
  assert.equal(list.headers.get('retry-after'), '10')
  assert.equal(broken.bugs.splice(0).length, 2)
})
