import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRules, searchNames } from '../../../src/lib/http/search-names.js'

const RULES: [title: string, text: string, domains: string[], ndots: number][] = [
  ['nothing', '', [], 1],
  [
    'Kubernetes',
    'nameserver 10.96.0.10\nsearch default.svc.cluster.local svc.cluster.local\noptions ndots:5\n',
    ['default.svc.cluster.local', 'svc.cluster.local'],
    5,
  ],
  ['Docker', 'nameserver 127.0.0.11\nsearch example.org\noptions edns0 ndots:0', ['example.org'], 0],
  ['the last of two', 'domain One.\nsearch two\n', ['two'], 1],
  ['a root', 'search .\n', [], 1],
]

for (const [title, text, domains, ndots] of RULES) {
  test(`search domains of the system: ${title}`, () => {
    assert.deepEqual(readRules(text), { domains, ndots })
  })
}

test('a name without a dot is tried in the search domains first, by default', () => {
  const domains = ['a', 'b']
  assert.deepEqual(searchNames('hooks', { domains, ndots: 5 }), ['hooks.a', 'hooks.b', 'hooks'])
  assert.deepEqual(searchNames('hooks', { domains, ndots: 0 }), ['hooks', 'hooks.a', 'hooks.b'])
  assert.deepEqual(searchNames('x.org', { domains, ndots: 5 }), ['x.org', 'x.org.a', 'x.org.b'])
})
