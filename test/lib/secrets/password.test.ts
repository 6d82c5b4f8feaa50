import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, verifyPassword } from '../../../src/lib/secrets/password.js'

test('a hash includes its parameters and matches only its own password', async () => {
  const hash = await hashPassword('correct horse')
  assert.match(hash, /^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/)
  assert.equal(await verifyPassword('correct horse', hash), true)
  assert.equal(await verifyPassword('correct hors', hash), false)
})

test('the same password has a different hash each time', async () => {
  assert.notEqual(await hashPassword('correct horse'), await hashPassword('correct horse'))
})

test('a hash with a lower cost is still valid', async () => {
  // scrypt('pw', 'saltsaltsaltsalt', N=1024, r=8, p=1), from an independent implementation.
  const stored = '$scrypt$ln=10,r=8,p=1$c2FsdHNhbHRzYWx0c2FsdA$DudPhYUu1iibCTyYvEPNHMftQlCeDPhGS7OT5rCvpzk'
  assert.equal(await verifyPassword('pw', stored), true)
  assert.equal(await verifyPassword('pW', stored), false)
})

test('letters typed as one character or as two are the same password', async () => {
  assert.equal(await verifyPassword('Ame\u0301lie!', await hashPassword('Am\u00e9lie!')), true)
})

test('an invalid hash matches no password', async () => {
  for (const stored of ['', 'secret', '$scrypt$ln=15$x', '$2b$12$abcdefghijklmnopqrstuv']) {
    assert.equal(await verifyPassword('secret', stored), false)
  }
})
