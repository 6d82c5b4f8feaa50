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

test('passwords that Django hashed with PBKDF2 or Argon2 are still right', async () => {
  // From Python's hashlib and from Node.js 24, with fewer rounds than Django takes.
  const pbkdf2 = 'pbkdf2_sha256$1000$KWfkPDvPj1i55ScM74QaQQ$dDIUEOF0ScBcLpnYwbTtX5NetPQpfbZEy9fzhDM8snA='
  const argon2 = 'argon2$argon2id$v=19$m=64,t=2,p=8$UFRwdHg0RVFSU0gyOXR2ellhdmR2RTgz$7ufkWxuyqb29waSwO8D6Yw'
  assert.equal(await verifyPassword('alice-password', pbkdf2), true)
  assert.equal(await verifyPassword('alice-passwor', pbkdf2), false)
  assert.equal(await verifyPassword('bob-password', argon2), true)
  assert.equal(await verifyPassword('bob-passwor', argon2), false)
})
