import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { fuzz } from '../_support/fuzz/fuzz.js'
import { openWorld } from '../_support/worlds/world.js'

const world = await openWorld()

// Many more with `npm run test:fuzz`.
test('random requests do what a model says, cross no project, and break nothing', async () => {
  await fuzz(world, 2_000)
})

test('bytes that are no HTTP are refused, and the server goes on', async () => {
  const { port } = new URL(world.root)
  for (const bytes of [
    'nonsense\r\n\r\n',
    'GET / HTTP/1.1\r\nno colon\r\n\r\n',
    'GET /api/v3/checks/ HTTP/1.1\r\n\r\n',
    '\0\0',
  ]) {
    await new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.end(bytes))
      socket.on('data', data => assert.match(String(data), /^HTTP\/1\.1 400 /))
      socket.on('close', () => resolve())
      socket.on('error', reject)
    })
  }
  assert.equal((await world.get('/api/v3/status/')).status, 200)
})
