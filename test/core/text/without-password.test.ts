import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutPassword } from '../../../src/core/text/without-password.js'

const masked = (text: string) => withoutPassword(text, '***')

test('the password of a URL is masked, and its user is shown', () => {
  assert.equal(masked('https://me:s3cret@a.example/x?y=1'), 'https://me:***@a.example/x?y=1')
  assert.equal(masked('https://:s3cret@a.example/'), 'https://:***@a.example/')
  assert.equal(masked('https://me:p@ss@a.example/'), 'https://me:***@a.example/')
})

test('a name without a password is masked, because it is a token', () => {
  assert.equal(masked('https://t0ken@a.example/x'), 'https://***@a.example/x')
})

test('other texts stay as they are', () => {
  for (const text of ['https://a.example/@me', 'me@a.example', 'mailto:me@a.example', '']) {
    assert.equal(masked(text), text)
  }
})
