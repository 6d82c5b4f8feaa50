/** Long pages of the list of checks in Punctual's own API, which are sent while the rest is read. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
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
    { after: null, limit: CHECKS, operation: 'listChecks', fields: null },
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

test('a page that fails amid its pieces is broken off without a word of the error', async () => {
  const { checks } = store as unknown as { checks: { showNativeList: unknown } }
  const { showNativeList } = checks
  checks.showNativeList = async (...args: unknown[]) => {
    const onPiece = args.at(-1) as (piece: Uint8Array) => void
    onPiece(new TextEncoder().encode('{"items": ['))
    await new Promise(resolve => setImmediate(resolve))
    throw new Error('the disk is broken')
  }
  for (const coding of ['identity', 'gzip']) {
    const answer = await rawAnswer(`${URL}?limit=${CHECKS}`, coding)
    assert.match(answer, /^HTTP\/1\.1 200 /)
    assert.ok(!answer.includes('the disk'))
    assert.ok(!answer.endsWith('0\r\n\r\n'), 'the end is missing')
    assert.deepEqual(world.bugs.splice(0).map(String), ['Error: the disk is broken'])
  }
  checks.showNativeList = showNativeList
})

/** What the server sends until it closes the connection. */
async function rawAnswer(path: string, coding: string): Promise<string> {
  const { port, hostname } = new globalThis.URL(world.root)
  const socket = connect(Number(port), hostname)
  const headers = ['Host: test', `X-Api-Key: ${alice.rw}`, `Accept-Encoding: ${coding}`]
  socket.write(`GET ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
  let answer = ''
  socket.on('data', chunk => {
    answer += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  await once(socket, 'close')
  return answer
}

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
