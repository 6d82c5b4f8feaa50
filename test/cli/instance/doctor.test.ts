/** `punctual doctor` beside a running server, and without one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshInstallation, installationWithProject, serving } from '../../_support/cli.js'
import { freePort } from '../../_support/servers/free-port.js'
import { openMailServer } from '../../_support/servers/mail-server.js'
import { punctual } from '../../_support/warm-cli.js'

test('an installation in order has no failure, and what may be meant is a warning', async t => {
  const port = await freePort()
  const mail = await openMailServer(t)
  const { env, uuid } = await installationWithProject(t, {
    PORT: String(port),
    SITE_ROOT: `http://127.0.0.1:${port}`,
    EMAIL_HOST: '127.0.0.1',
    EMAIL_PORT: String(mail.options.port),
    EMAIL_USE_TLS: 'False',
  })
  await serving(t, env)
  const chat = ['--kind', 'webhook', '--name', 'Chat', '--set', 'url_down=https://example.org/']
  await punctual(env, ['channel', 'add', '--project', uuid, ...chat])
  const { code, stdout } = await punctual(env, ['doctor'])
  assert.equal(code, 0, stdout)
  assert.match(stdout, /^ok {4}Version: Punctual \S+ on Node\.js \d/)
  assert.match(stdout, /^ok {4}Database: /m)
  assert.match(stdout, /^ok {4}Mail: 127\.0\.0\.1:\d+ lets Punctual in$/m)
  assert.match(stdout, /^ok {4}Ping URLs: http:\S+ answers$/m)
  assert.match(stdout, /^ok {4}Clock: agrees/m)
  assert.match(stdout, /^warn {2}Settings: SITE_ROOT is http:\/\/127/m)
  assert.match(
    stdout,
    /^warn {2}Channel Chat of Backups: it has never delivered a message\n {6}Send a test with `punctual/m,
  )
  assert.equal(mail.mails.length, 0)
})

test('what is broken is a failure that says what to do, and the rest is examined all the same', async t => {
  const port = String(await freePort())
  const env = await freshInstallation(t, {
    SITE_ROOT: `http://127.0.0.1:${port}`,
    EMAIL_HOST: '127.0.0.1',
    EMAIL_PORT: port,
  })
  const { code, stdout } = await punctual(env, ['doctor'])
  assert.equal(code, 1)
  for (const about of ['Database', 'Mail', 'Ping URLs'])
    assert.match(stdout, new RegExp(`^FAIL  ${about}: .+\n {6}See .+$`, 'm'))
  assert.match((await punctual({ ...env, PORT: 'x' }, ['doctor'])).stdout, /^FAIL {2}Settings: PORT must /m)
  const found = await punctual(env, ['doctor', '--json'])
  assert.ok(JSON.parse(found.stdout).some((one: { level: string }) => one.level === 'fail'))
})
