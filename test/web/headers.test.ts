import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, project, root } = world

const EXPECTED = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'x-permitted-cross-domain-policies': 'none',
}

test('every page carries the headers of OWASP’s list, errors and redirects too', async () => {
  const paths = ['/projects/', `/projects/${project.uuid}/checks/`, '/docs/pinging/', '/nothing/', '/docs/']
  for (const path of paths) {
    const { headers } = await alice.get(path)
    for (const [name, value] of Object.entries(EXPECTED))
      assert.equal(headers.get(name), value, `${path} ${name}`)
    const policy = headers.get('content-security-policy')!
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.match(policy, /base-uri 'none'/)
    assert.ok(!policy.includes('unsafe'), policy)
    assert.match(headers.get('permissions-policy')!, /camera=\(\)/)
  }
})

test('what a member sees is not kept by caches in between', async () => {
  const { headers } = await alice.get(`/projects/${project.uuid}/checks/`)
  assert.match(headers.get('cache-control')!, /private/)
})

test('files of our own are compressed, and kept for ever under a name made of their content', async () => {
  const { text } = await alice.get('/projects/')
  const address = /href="(\/static\/css\/app-[0-9a-f]{10}\.css)"/.exec(text)![1]!
  const plain = await fetch(root + address, { headers: { 'Accept-Encoding': 'identity' } })
  assert.match(plain.headers.get('cache-control')!, /immutable/)
  assert.equal(plain.headers.get('content-type'), 'text/css; charset=utf-8')
  const css = await plain.text()
  const packed = await new Promise<Buffer>(resolve => {
    request(root + address, { headers: { 'Accept-Encoding': 'br' } }, response => {
      assert.equal(response.headers['content-encoding'], 'br')
      const pieces: Buffer[] = []
      response.on('data', piece => pieces.push(piece))
      response.on('end', () => resolve(Buffer.concat(pieces)))
    }).end()
  })
  assert.equal(brotliDecompressSync(packed).toString(), css)
  assert.equal((await alice.get('/static/css/app-0000000000.css')).status, 404)
  assert.equal((await alice.get('/static/../package.json')).status, 404)
})
