import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../_support/worlds/world.js'

const PATHS = [
  '/ping/3cba109f-0c06-47ea-8a3c-2f7d6a5f0e11',
  '/ping/key/Slug',
  '/api/v3/checks/',
  '/api/v3/openapi.json',
  '/b/2/3cba109f-0c06-47ea-8a3c-2f7d6a5f0e11.svg',
  '/docs/pinging/',
  '/accounts/login/',
  '/nothing/',
]

const SITES: [site: string, includeSubDomains: boolean, expected: string | null][] = [
  ['http://monitor.example', true, null],
  ['https://monitor.example', false, 'max-age=31536000'],
  ['https://monitor.example', true, 'max-age=31536000; includeSubDomains'],
]
for (const [SITE_ROOT, HSTS_INCLUDE_SUBDOMAINS, expected] of SITES) {
  test(`every answer of ${SITE_ROOT} tells browsers ${expected ?? 'nothing of https'}`, async () => {
    const world = await openWorld({ app: { SITE_ROOT, HSTS_INCLUDE_SUBDOMAINS } })
    for (const path of PATHS) {
      const { headers } = await world.get(path)
      assert.equal(headers.get('Strict-Transport-Security'), expected, path)
      assert.equal(headers.get('X-Content-Type-Options'), 'nosniff', path)
    }
  })
}

test('an accepted ping tells browsers to stay with https too', async () => {
  const world = await openWorld({ app: { SITE_ROOT: 'https://monitor.example' } })
  const { uuid } = await world.check(world.alice)
  const { status, headers } = await world.get(`/ping/${uuid}`)
  assert.equal(status, 200)
  assert.equal(headers.get('Strict-Transport-Security'), 'max-age=31536000')
})
