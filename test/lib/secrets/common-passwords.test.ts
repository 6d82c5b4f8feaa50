import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashNewPassword } from '../../../src/actions/people/hash-new-password.js'
import { isListedPassword } from '../../../src/lib/secrets/common-passwords.js'

test('common passwords are refused, regardless of case and punctuation at the end', async () => {
  for (const password of [
    'fuckyou1',
    'q1w2e3r4',
    'A1B2C3D4',
    '147258369',
    'Facebook',
    'facebook!',
    'letmein123',
  ]) {
    await assert.rejects(hashNewPassword(password, 'a@example.org'), /too easy to guess/, password)
  }
})

test('passphrases, and the comment of the list, do not count as common', async () => {
  for (const text of ['correct horse', 'battery staple', '# ', '', 'facebook\nfacebook', 'acebook']) {
    assert.equal(await isListedPassword(text), false, text)
  }
})
