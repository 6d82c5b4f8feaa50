/** Pages that anyone may ask for are made and compressed once: nothing of a visitor is in what others get. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const stranger = world.stranger()

/** The answer as it is on the wire. */
function wire(path: string, headers: Record<string, string>) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(resolve => {
    request(world.root + path, { headers }, response => {
      const pieces: Buffer[] = []
      response.on('data', piece => pieces.push(piece))
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(pieces) }),
      )
    }).end()
  })
}

for (const path of ['/docs/api/', '/docs/pinging/', '/docs/integrations/slack/']) {
  test(`${path} is sent once to a browser that keeps it`, async () => {
    const first = await wire(path, { 'Accept-Encoding': 'gzip' })
    assert.equal(first.headers['content-encoding'], 'gzip')
    assert.equal(first.headers.vary, 'Accept-Encoding, Cookie')
    assert.equal(gunzipSync(first.body).toString(), (await wire(path, {})).body.toString())
    const tag = String(first.headers.etag)
    const again = await wire(path, { 'Accept-Encoding': 'gzip', 'If-None-Match': tag })
    assert.deepEqual([again.status, again.body.length, again.headers.etag], [304, 0, tag])
    assert.equal((await wire(path, { 'Accept-Encoding': 'gzip', 'If-None-Match': '"x"' })).status, 200)
  })

  test(`${path} shows those who are signed in their own frame, and strangers nothing of it`, async () => {
    const own = await world.alice.get(path)
    const { text, headers } = await stranger.get(path)
    assert.ok(own.text.includes('alice@example.org'))
    assert.equal(own.headers.get('ETag'), null)
    assert.ok(!text.includes('alice@example.org') && !text.includes('csrf'))
    assert.equal(headers.get('set-cookie'), null)
    const tag = headers.get('ETag')!
    assert.equal((await world.alice.get(path, { 'If-None-Match': tag })).status, 200)
  })
}

test('a page that does not exist has the frame of the user who is signed in, and strangers see nothing of it', async () => {
  const own = await world.alice.get('/nothing/')
  assert.equal(own.status, 404)
  assert.match(own.text, /alice@example\.org/)
  assert.match(own.text, /<a class="button [^>]*href="\/projects\/">All projects/)
  const { text, headers } = await stranger.get('/nothing/')
  assert.ok(!text.includes('alice@example.org') && !text.includes('csrf'))
  assert.match(text, /<a class="button [^>]*href="\/">Sign in/)
  assert.equal(headers.get('Vary'), 'Accept-Encoding, Cookie')
})

test('an address where nothing is stays 404, whatever the browser has', async () => {
  const { status, headers } = await stranger.get('/nothing/', { 'If-None-Match': '"x"' })
  assert.equal(status, 404)
  assert.equal(headers.get('ETag'), null)
})

test('a search looks for the first eight words', async () => {
  const words = (last: string) => `/docs/search/?q=${'zzzzqqqq+'.repeat(7)}${last}`
  assert.match((await stranger.get(words('crontab'))).text, /class="hits">.*crontab/)
  assert.match((await stranger.get(words('zzzzqqqq+crontab'))).text, /No results for/)
})
