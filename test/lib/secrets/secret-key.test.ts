import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readOrCreateSecretKey, readSecretKey, secretKeyFile } from '../../../src/lib/secrets/secret-key.js'
import { tempFolder } from '../../_support/worlds/store.js'

test('the key is generated once, readable only by its owner', async t => {
  const folder = join(await tempFolder(t), 'new', 'data')
  assert.equal(readSecretKey(folder), null)
  const key = readOrCreateSecretKey(folder)
  assert.ok(key.length >= 32)
  assert.equal(readOrCreateSecretKey(folder), key)
  assert.equal(readSecretKey(folder), key)
  assert.equal(readFileSync(secretKeyFile(folder), 'utf8'), `${key}\n`)
  assert.equal(statSync(secretKeyFile(folder)).mode & 0o777, 0o600)
})

test('an empty key file is refused rather than used', async t => {
  const folder = await tempFolder(t)
  writeFileSync(secretKeyFile(folder), '\n')
  assert.throws(() => readOrCreateSecretKey(folder), /is empty/)
})
