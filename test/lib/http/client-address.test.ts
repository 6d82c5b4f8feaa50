import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientAddress, clientNetwork } from '../../../src/lib/http/client-address.js'

const cases: [
  name: string,
  peer: string,
  forwarded: string | undefined,
  trusted: string[],
  expected: string,
][] = [
  ['no proxy is trusted', '203.0.113.9', '198.51.100.1', [], '203.0.113.9'],
  ['nothing was forwarded', '10.0.0.1', undefined, ['10.0.0.0/8'], '10.0.0.1'],
  ['one trusted proxy', '10.0.0.1', '198.51.100.1', ['10.0.0.0/8'], '198.51.100.1'],
  [
    'what the client made up stands at the left',
    '10.0.0.1',
    '1.2.3.4, 198.51.100.1',
    ['10.0.0.0/8'],
    '198.51.100.1',
  ],
  ['two trusted proxies', '10.0.0.1', '198.51.100.1, 10.0.0.2', ['10.0.0.0/8'], '198.51.100.1'],
  ['a peer that is none of them', '203.0.113.9', '198.51.100.1', ['10.0.0.1'], '203.0.113.9'],
  ['nonsense in the header', '10.0.0.1', 'unknown', ['10.0.0.1'], '10.0.0.1'],
  ['a port', '10.0.0.1', '198.51.100.1:4711', ['10.0.0.1'], '198.51.100.1'],
  ['IPv4 inside IPv6', '::ffff:10.0.0.1', '[2001:db8::1]:80', ['10.0.0.1'], '2001:db8::1'],
]

for (const [name, peer, forwarded, trusted, expected] of cases) {
  test(`where a request came from: ${name}`, () => {
    assert.equal(clientAddress(peer, forwarded, trusted), expected)
  })
}

test('addresses in one IPv6 /64 count as one client, and each IPv4 address as its own', () => {
  assert.equal(clientNetwork('2001:db8:1:2::1'), clientNetwork('2001:db8:1:2:ffff::9'))
  assert.notEqual(clientNetwork('2001:db8:1:2::1'), clientNetwork('2001:db8:1:3::1'))
  assert.notEqual(clientNetwork('198.51.100.1'), clientNetwork('198.51.100.2'))
})
