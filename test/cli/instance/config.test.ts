import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sqliteEngine } from '../../../src/storage/sqlite/engines/index.js'
import { freshInstallation, punctual, punctualJson, serving } from '../../_support/cli.js'

test('config prints every setting with its value and source', async t => {
  const env = await freshInstallation(t, { PORT: '9000', METRICS_KEY: 'a metrics key' })
  const settings = await punctualJson(env, ['config'])
  const of = (name: string) => settings.find((row: { name: string }) => row.name === name)
  assert.deepEqual(of('PORT'), { name: 'PORT', value: '9000', source: 'environment' })
  assert.deepEqual(of('WEBHOOKS_ENABLED'), { name: 'WEBHOOKS_ENABLED', value: 'True', source: 'default' })
  const { stdout } = await punctual(env, ['config'])
  assert.match(stdout, /^METRICS_KEY +•+ +environment$/m)
  assert.ok(!stdout.includes('a metrics key'))
})

test('config and the log name the database engine', async t => {
  const env = await freshInstallation(t)
  const settings = await punctualJson(env, ['config'])
  const source = `Node.js ${process.versions.node}`
  assert.deepEqual(settings.at(-1), { name: 'database', value: sqliteEngine().name, source })
  const server = await serving(t, env)
  assert.equal(await server.end('SIGTERM'), 0)
  const line = server.output.stderr.split('\n').find(text => text.includes('"msg":"serving"'))
  assert.equal(JSON.parse(line!).database, sqliteEngine().name)

  const shared = await punctualJson(
    { ...env, DATABASE_URL: 'postgres://localhost/punctual', SECRET_KEY: 'x'.repeat(50) },
    ['config'],
  )
  assert.equal(shared.at(-1).value, 'PostgreSQL')
})

test('invalid settings stop every command and are all reported at once', async t => {
  const env = await freshInstallation(t, { PORT: 'http', SITE_ROOT: 'example.org' })
  for (const command of ['serve', 'migrate', 'config']) {
    const { code, stdout, stderr } = await punctual(env, [command])
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.match(
      stderr,
      /^punctual: these settings cannot be used:\n {2}PORT must .*\n {2}SITE_ROOT must .*\n$/,
    )
  }
})
