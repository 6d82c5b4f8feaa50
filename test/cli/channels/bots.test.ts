import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshInstallation } from '../../_support/cli.js'
import { openRpcServer } from '../../_support/servers/rpc-server.js'
import { punctual } from '../../_support/warm-cli.js'

test('signal captcha submits a CAPTCHA to signal-cli', async t => {
  const server = await openRpcServer(t)
  const env = await freshInstallation(t, { SIGNAL_CLI_SOCKET: server.address })
  const { code, stdout, stderr } = await punctual(env, ['signal', 'captcha', 'ch-1', 'signalcaptcha://x'])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^Signal accepted the CAPTCHA\./)
  const [call] = server.calls
  assert.equal(call?.method, 'submitRateLimitChallenge')
  assert.deepEqual(call.params, { challenge: 'ch-1', captcha: 'signalcaptcha://x' })
})

test('signal captcha reports errors of signal-cli, and when it is not set up', async t => {
  const server = await openRpcServer(t, () => ({ error: { code: -1, message: 'Captcha rejected' } }))
  const refused = await freshInstallation(t, { SIGNAL_CLI_SOCKET: server.address })
  const cases = [
    [refused, /^punctual: signal-cli answered: Captcha rejected\n$/],
    [await freshInstallation(t), /^punctual: SIGNAL_CLI_SOCKET must be set\n$/],
    [
      await freshInstallation(t, { SIGNAL_CLI_SOCKET: '/nowhere/socket' }),
      /^punctual: signal-cli: Connection failed\n$/,
    ],
  ] as const
  for (const [env, expected] of cases) {
    const { code, stderr } = await punctual(env, ['signal', 'captcha', 'ch-1', 'x'])
    assert.equal(code, 1)
    assert.match(stderr, expected)
  }
})

test('telegram webhook names the settings that it needs', async t => {
  const cases = [
    [{}, [], 'TELEGRAM_TOKEN'],
    [{ TELEGRAM_TOKEN: '1:x' }, [], 'TELEGRAM_WEBHOOK_SECRET'],
    [{ TELEGRAM_WEBHOOK_SECRET: 's' }, ['--remove'], 'TELEGRAM_TOKEN'],
  ] as const
  for (const [settings, options, name] of cases) {
    const env = await freshInstallation(t, settings)
    const { code, stderr } = await punctual(env, ['telegram', 'webhook', ...options])
    assert.equal(code, 1)
    assert.equal(stderr, `punctual: ${name} must be set\n`)
  }
})
