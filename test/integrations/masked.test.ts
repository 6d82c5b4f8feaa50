import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginningOf, maskUrl } from '../../src/integrations/masked.js'

const urls: [string, string][] = [
  ['https://hooks.example.org', 'hooks.example.org'],
  ['https://hooks.example.org/', 'hooks.example.org'],
  ['https://alice:pw@a.example:8443/api/v2/alerts/', 'a.example:8443/api/v2/alerts/'],
  ['https://a.example/hooks/backup-of-mail', 'a.example/hooks/bac…'],
  ['https://a.example/hooks/website', 'a.example/hooks/w…'],
  ['https://a.example/services/T024BE7LD/9f86d081884c7d65', 'a.example/services/T0…/9f86…'],
  ['https://a.example/trigger?key=t0p-s3cret&9f86d081', 'a.example/trigger?key=…&…'],
  ['https://a.example/trigger#fragment', 'a.example/trigger'],
  ['http://a.example:8080/hook', 'http://a.example:8080/hook'],
  ['not an address', ''],
]

for (const [url, shown] of urls) {
  test(`of the address ${url} is shown “${shown}”`, () => {
    assert.equal(maskUrl(url), shown)
  })
}

test('at most a quarter of a secret is shown, and never more than four characters', () => {
  const shown = ['', 'abc', 'abcd', 'abcdefgh', 'a'.repeat(100)].map(beginningOf)
  assert.deepEqual(shown, ['…', '…', 'a…', 'ab…', 'aaaa…'])
})
