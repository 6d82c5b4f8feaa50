import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshInstallation, punctual, punctualJson } from '../_support/cli.js'

test('config prints every setting, its value and where it came from', async t => {
  const env = await freshInstallation(t, { PORT: '9000', METRICS_KEY: 'a metrics key' })
  const settings = await punctualJson(env, ['config'])
  const of = (name: string) => settings.find((row: { name: string }) => row.name === name)
  assert.deepEqual(of('PORT'), { name: 'PORT', value: '9000', source: 'environment' })
  assert.deepEqual(of('WEBHOOKS_ENABLED'), { name: 'WEBHOOKS_ENABLED', value: 'True', source: 'default' })
  const { stdout } = await punctual(env, ['config'])
  assert.match(stdout, /^METRICS_KEY +•+ +environment$/m)
  assert.ok(!stdout.includes('a metrics key'))
})

test('settings that cannot be used stop every command, all named at once', async t => {
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
