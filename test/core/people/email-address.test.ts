import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOrNull } from '../../../src/core/people/email-address.js'

test('an address is kept without spaces around it, in lower case', () => {
  assert.equal(addressOrNull(' Alice+x@Example.ORG '), 'alice+x@example.org')
  assert.equal(addressOrNull('jos\u00e9@b\u00fccher.example'), 'jos\u00e9@b\u00fccher.example')
})

test('characters that become others on their way are refused, so no address is another one', () => {
  for (const address of [
    'mi\u212ae@example.org',
    'mike@\uff45xample.org',
    'mike@examp\u2113e.org',
    'mike@example\u3002org',
    'mike@example\uff0eorg',
    'mike@example\uff61org',
    'mike@exam\ufe0fple.org',
    'mike@exam\u034fple.org',
    'mike@exam\u00adple.org',
    'mike@example.org.',
    'mike@example..org',
    'mike@.example.org',
    'mike(1)@example.org',
    'mike\\@example.org',
  ]) {
    assert.equal(addressOrNull(address), null, JSON.stringify(address))
  }
})
