import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '../../../src/config.js'
import { passkeyObstacle } from '../../../src/http/web/people/sign-in/relying-party.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const table: [siteRoot: string, sentence: string | null][] = [
  ['https://punctual.example.org', null],
  ['http://localhost:8000', null],
  ['http://127.0.0.1:8000', 'Passkeys need a host name; this site runs at 127.0.0.1.'],
  ['https://[2001:db8::1]', 'Passkeys need a host name; this site runs at [2001:db8::1].'],
  ['http://punctual.lan', 'Passkeys need https; this site runs at http://punctual.lan.'],
]

for (const [siteRoot, sentence] of table) {
  test(`a site at ${siteRoot}: ${sentence ?? 'passkeys can be added'}`, () => {
    const config = { ...loadConfig({ SITE_ROOT: siteRoot }), SECRET_KEY: '' }
    assert.equal(passkeyObstacle(config), sentence)
  })
}

test('where no passkey can be added the account’s page says why', async () => {
  const world = await openWebWorld({ app: { SITE_ROOT: 'http://127.0.0.1:8000' } })
  const { text } = await world.alice.get('/accounts/profile/')
  assert.match(text, /Passkeys need a host name; this site runs at 127\.0\.0\.1\./)
  assert.doesNotMatch(text, /Add a passkey/)
})
