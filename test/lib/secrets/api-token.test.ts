import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isApiToken, newApiToken } from '../../../src/lib/secrets/api-token.js'

test('a token has the form that scanners look for', () => {
  for (let count = 0; count < 100; count++) {
    const token = newApiToken()
    assert.match(token, /^pun_[0-9A-Za-z]{36}$/)
    assert.ok(isApiToken(token))
  }
  assert.notEqual(newApiToken(), newApiToken())
})

test('the checksum is CRC-32 in base 62, as GitHub’s', () => {
  // echo -n pun_000000000000000000000000000000 | gzip -c | tail -c8 | hexdump -n4 -e '"%u"': 405420774
  assert.ok(isApiToken(`pun_${'0'.repeat(30)}0RR6Sk`))
  assert.ok(!isApiToken(`pun_${'0'.repeat(36)}`))
})

test('a token with a typing error is recognised', () => {
  const token = newApiToken()
  for (let at = 0; at < token.length; at++) {
    const wrong = token.slice(0, at) + (token[at] === 'a' ? 'b' : 'a') + token.slice(at + 1)
    assert.ok(!isApiToken(wrong), wrong)
  }
  for (const text of ['', 'pun_', `${token} `, `${token}0`, token.toUpperCase()]) assert.ok(!isApiToken(text))
})
