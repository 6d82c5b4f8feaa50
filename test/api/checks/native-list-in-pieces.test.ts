/** Long pages of the list of checks in Punctual's own API, which are sent while the rest is read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, store, clock } = world
const URL = '/api/punctual/v1/checks'
const CHECKS = 600

for (let made = 0; made < CHECKS; made += 300) {
  const operations = Array.from({ length: 300 }, (_, number) => ({
    op: 'create',
    check: { name: `Job ${made + number}`, desc: 'What it does. '.repeat(50) },
  }))
  const { status } = await world.post(`${URL}:batch`, alice.rw, { operations })
  assert.equal(status, 200)
}

const listed = (access: 'rw' | 'ro', onPiece?: (piece: Uint8Array) => void) =>
  store.checks.showNativeList(
    { projectId: alice.projectId, access, now: clock.now() },
    {},
    { after: null, limit: CHECKS, operation: 'listChecks' },
    ...(onPiece ? [onPiece] : []),
  )
const textOf = (parts: Uint8Array[]) => Buffer.concat(parts).toString()

test('a long list is passed on piece by piece, and the last one returned', async () => {
  const pieces: Uint8Array[] = []
  const rest = await listed('rw', piece => pieces.push(piece))
  assert.ok(pieces.length > 1)
  assert.equal(textOf([...pieces, rest]), textOf([await listed('rw')]))
})

test('a long page is the same in pieces as whole, plain and compressed, for writers and readers', async () => {
  for (const access of ['rw', 'ro'] as const) {
    const whole = textOf([await listed(access)])
    for (const coding of ['identity', 'gzip']) {
      const headers = { 'Accept-Encoding': coding }
      const {
        status,
        headers: sent,
        text,
      } = await world.send('GET', `${URL}?limit=${CHECKS}`, { key: alice[access], headers })
      assert.deepEqual(
        [status, sent.get('Content-Type'), sent.get('Content-Length')],
        [200, 'application/json', null],
      )
      assert.equal(text, whole)
    }
  }
  const { headers, json } = await world.send('GET', `${URL}?limit=2`, {
    key: alice.rw,
    headers: { 'Accept-Encoding': 'identity' },
  })
  assert.equal(Number(headers.get('Content-Length')) > 0, true, 'a short page is sent whole')
  const names = await world.get(`${URL}?limit=${CHECKS}&fields=name`, alice.rw)
  assert.equal(names.json.items.length, CHECKS)
  assert.deepEqual(Object.keys(names.json.items[0]), ['name'])
  assert.equal(json.items[0].name, names.json.items[0].name)
})

test('a long page that nobody reads to its end leaves nothing open', async () => {
  const path = `${URL}?limit=${CHECKS}`
  assert.equal((await world.send('HEAD', path, { key: alice.rw })).text, '')
  for (const coding of ['identity', 'gzip']) {
    const headers = { 'X-Api-Key': alice.rw, 'Accept-Encoding': coding }
    const response = await fetch(world.root + path, { headers })
    const reader = response.body!.getReader()
    await reader.read()
    await reader.cancel()
  }
  assert.equal((await world.get(path, alice.rw)).json.items.length, CHECKS)
  assert.deepEqual(world.bugs, [])
})
