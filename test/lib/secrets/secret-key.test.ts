import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { keepSecretKey, keptSecretKey, secretKeyFile } from '../../../src/lib/secrets/secret-key.js'
import { tempFolder } from '../../_support/worlds/store.js'

test('the key is made once and kept for its owner alone', async t => {
  const folder = join(await tempFolder(t), 'new', 'data')
  assert.equal(keptSecretKey(folder), null)
  const key = keepSecretKey(folder)
  assert.ok(key.length >= 32)
  assert.equal(keepSecretKey(folder), key)
  assert.equal(keptSecretKey(folder), key)
  assert.equal(readFileSync(secretKeyFile(folder), 'utf8'), `${key}\n`)
  assert.equal(statSync(secretKeyFile(folder)).mode & 0o777, 0o600)
})

test('an empty key file is refused rather than used', async t => {
  const folder = await tempFolder(t)
  writeFileSync(secretKeyFile(folder), '\n')
  assert.throws(() => keepSecretKey(folder), /is empty/)
})
