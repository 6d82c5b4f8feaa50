import assert from 'node:assert/strict'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { migrations } from '../../../src/storage/migrate.js'
import {
  freshInstallation,
  installationWithProject,
  migratedInstallation,
  punctual,
  punctualJson,
} from '../../_support/cli.js'
import { tempFolder } from '../../_support/worlds/store.js'

test('migrate creates a database that only its owner can read, and then has nothing to do', async t => {
  const env = await freshInstallation(t)
  const { applied } = await punctualJson(env, ['migrate'])
  assert.equal(applied[0], '0001_initial')
  assert.equal(statSync(join(env.DATA_DIR!, 'punctual.db')).mode & 0o777, 0o600)
  assert.equal((await punctual(env, ['migrate'])).stdout, 'The database is up to date.\n')
})

test('processes that migrate at the same time apply each migration once', async t => {
  const env = await freshInstallation(t)
  const results = await Promise.all(Array.from({ length: 4 }, () => punctualJson(env, ['migrate'])))
  assert.deepEqual(
    results.flatMap(({ applied }) => applied),
    migrations().map(({ name }) => name),
  )
})

test('a file that is not a database is reported as such', async t => {
  const env = await migratedInstallation(t)
  writeFileSync(join(env.DATA_DIR!, 'punctual.db'), 'no database at all, but longer than a header of one')
  const { code, stderr } = await punctual(env, ['project', 'list'])
  assert.equal(code, 1)
  assert.equal(stderr, 'punctual: the database cannot be used: file is not a database\n')
})

test('backup writes a complete and private copy, and never overwrites a file', async t => {
  const { env, uuid } = await installationWithProject(t)
  const folder = await tempFolder(t)
  const file = join(folder, 'punctual.db')
  const { bytes } = await punctualJson(env, ['backup', file])
  assert.equal(statSync(file).size, bytes)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const restored = await punctualJson({ DATA_DIR: folder }, ['project', 'list'])
  assert.equal(restored[0].uuid, uuid)

  const again = await punctual(env, ['backup', file])
  assert.equal(again.code, 1)
  assert.equal(again.stderr, `punctual: ${file} exists already\n`)
})
