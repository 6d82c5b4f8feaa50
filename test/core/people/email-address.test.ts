import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addressOrNull,
  mailboxSpelling,
  sameMailbox,
  withAsciiDomain,
} from '../../../src/core/people/email-address.js'

test('an address is stored trimmed and in lower case', () => {
  assert.equal(addressOrNull(' Alice+x@Example.ORG '), 'alice+x@example.org')
  assert.equal(addressOrNull('jos\u00e9@example.org'), 'jos\u00e9@example.org')
})

test('characters that mail systems change are refused, so no address becomes another', () => {
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

const domains: [typed: string, kept: string | null][] = [
  ['ann@b\u00fccher.example', 'ann@xn--bcher-kva.example'],
  ['ann@bu\u0308cher.example', null],
  ['Ann@B\u00dcCHER.example', 'ann@xn--bcher-kva.example'],
  ['ann@XN--BCHER-KVA.example', 'ann@xn--bcher-kva.example'],
  ['ann@stra\u00dfe.example', 'ann@xn--strae-oqa.example'],
  ['ann@\u043f\u043e\u0447\u0442\u0430.\u0440\u0444', 'ann@xn--80a1acny.xn--p1ai'],
  ['ann@a_b.example', 'ann@a_b.example'],
  ['\u0130@a.example', null],
  ['\u00d6@a.example', '\u00f6@a.example'],
  ['ann@xn--a.example', null],
  ['ann@b\u00fccher.example/x', null],
  ['ann@b\u00fccher.%65xample', null],
  ['ann@corp%2eexample', null],
  ['ann@corp.example/1', null],
  ['ann@corp.example#1', null],
  ['ann@1.2', null],
  ['ann@0x7f.1', null],
  ['root@localhost', 'root@localhost'],
]
for (const [typed, kept] of domains) {
  test(`an account stores ${JSON.stringify(typed)} as ${kept ?? 'nothing'}`, () => {
    assert.equal(addressOrNull(typed), kept)
  })
}

test('both spellings of a domain are one mailbox for rate limits', () => {
  assert.equal(sameMailbox('a.nn+x@b\u00fccher.example'), sameMailbox('ann@xn--bcher-kva.example'))
})

test('capitals and outer spaces make no other mailbox for rate limits', () => {
  assert.equal(sameMailbox(' ViCtim@Example.ORG'), sameMailbox('victim@example.org'))
  assert.equal(sameMailbox('a.nn@googlemail.com'), sameMailbox('ann+x@gmail.com'))
})

test('full-width letters make no other mailbox for rate limits', () => {
  assert.equal(sameMailbox('\uff36ictim@example.org'), sameMailbox('victim@example.org'))
})

test('the local part is unchanged when the domain is converted to ASCII', () => {
  assert.equal(withAsciiDomain('J\u00f6rg.B@b\u00fccher.example'), 'J\u00f6rg.B@xn--bcher-kva.example')
})

test('addresses with a tag count as one spelling of a mailbox, the plain one as another', () => {
  const tagged = mailboxSpelling('New.Here+1@example.org')
  assert.equal(mailboxSpelling('new.here+2@example.org'), tagged)
  assert.notEqual(mailboxSpelling('new.here@example.org'), tagged)
  assert.notEqual(mailboxSpelling('newhere@example.org'), mailboxSpelling('new.here@example.org'))
  assert.equal(mailboxSpelling('new.here@gmail.com'), mailboxSpelling('newhere@gmail.com'))
})

test('an address whose small letters are written in two ways is none', () => {
  assert.equal(addressOrNull('J\u030C@example.org'), null)
  assert.equal(addressOrNull('\u01F0@example.org'), '\u01F0@example.org')
})
