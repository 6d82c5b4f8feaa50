/** The commands that ask a server: `login`, `checks`, `ping`, `silence`, `open`, with the built program on both sides. */
import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { installationWithProject, serving } from '../../_support/cli.js'
import { freePort } from '../../_support/servers/free-port.js'
import { punctual, punctualJson } from '../../_support/warm-cli.js'
import { tempFolder } from '../../_support/worlds/store.js'

/** A server with a project, and the environment of somebody who has its key. */
async function withServer(t: TestContext) {
  const installation = await installationWithProject(t)
  const port = await freePort()
  const root = `http://127.0.0.1:${port}`
  const { url } = await serving(t, {
    ...installation.env,
    PORT: String(port),
    PING_ENDPOINT: `${root}/ping/`,
  })
  const home = await tempFolder(t)
  const scopes = ['checks:read', 'checks:write', 'pings:read', 'incidents:write', 'channels:write']
  const named = ['--project', installation.uuid, '--name', 'Laptop', '--scopes', ...scopes]
  const { token } = await punctualJson(installation.env, ['token', 'create', ...named])
  return {
    ...installation,
    url,
    home,
    token,
    user: { HOME: home, PUNCTUAL_URL: url, PUNCTUAL_TOKEN: token },
  }
}

test('a check is created, pinged, shown, paused, resumed and deleted by name', async t => {
  const { user, url } = await withServer(t)
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await punctual(user, args)
    assert.deepEqual([code, stderr], [0, ''], args.join(' '))
    return stdout
  }

  assert.equal(await run('checks', 'list'), 'There are no checks.\n')
  const cron = ['--cron', '15 3 * * *', '--timezone', 'Europe/Riga', '--grace', '1h', '--tags', 'db  nightly']
  const created = await run('checks', 'create', 'Nightly backup', ...cron)
  assert.match(created, /^Created Nightly backup\. Its ping URL:\nhttp.*\/[0-9a-f-]{36}\n$/)
  await run('checks', 'create', 'Hourly', '--every', '1h')

  await run('ping', 'nightly-backup', '--fail', '--message', 'disk full')
  assert.equal(await run('checks', 'logs', 'Nightly backup', '--output'), 'disk full')
  const [ping] = await punctualJson(user, ['checks', 'logs', 'nightly-backup'])
  assert.deepEqual([ping.n, ping.kind, ping.body_size], [1, 'fail', 9])
  await run('ping', 'hourly', '--exit', '0')

  const list = await run('checks', 'list')
  assert.match(
    list,
    /^STATUS +NAME +SCHEDULE .*\ndown +Nightly backup +15 3 \* \* \* \(Europe\/Riga\) .*db nightly\nup +Hourly +every 1 hour /,
  )
  assert.match(await run('checks', 'show', 'hourly'), /^Hourly\n {2}Status +up\n/)
  const shown = await punctualJson(user, ['checks', 'show', 'nightly-backup'])
  assert.deepEqual([shown.tags, shown.grace, shown.project], [['db', 'nightly'], 3600, 'Backups'])

  assert.match(
    await run('silence', 'nightly-backup', '--for', '2h', '--reason', 'new disk'),
    /^Silenced Nightly backup until 2/,
  )
  assert.equal(
    await run('checks', 'pause', 'hourly', 'nightly-backup'),
    'Paused Hourly.\nPaused Nightly backup.\n',
  )
  assert.equal((await punctualJson(user, ['checks', 'list', '--status', 'paused'])).length, 2)
  await run('checks', 'resume', 'hourly')
  assert.equal(
    await run('open', 'hourly', '--print'),
    `${url}/checks/${(await punctualJson(user, ['checks', 'show', 'hourly'])).uuid}/details/\n`,
  )
  const unasked = await punctual(user, ['checks', 'delete', 'hourly'])
  assert.deepEqual(
    [unasked.code, unasked.stderr],
    [1, 'punctual: nothing was deleted: add --yes to delete without being asked\n'],
  )
  assert.equal(await run('checks', 'delete', 'hourly', '--yes'), 'Deleted Hourly.\n')
  assert.equal((await punctualJson(user, ['checks', 'list'])).length, 1)
})

test('login remembers the server and its token, in a file that only its owner can read', async t => {
  const { apiKey, token, url, home } = await withServer(t)
  const user = { HOME: home }
  const before = await punctual(user, ['checks', 'list'])
  assert.match(before.stderr, /^punctual: no server is known\. Sign in with `punctual login URL`/)
  const wrong = await punctual(user, ['login', url], 'wrong\n')
  assert.equal(wrong.code, 1)
  const signedIn = await punctual(user, ['login', `${url}/`], `${token}\n`)
  assert.deepEqual([signedIn.code, signedIn.stdout], [0, `Signed in to ${url}. Projects: Backups.\n`])
  const file = join(home, '.config/punctual/login.json')
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.equal((await punctual(user, ['checks', 'list'])).stdout, 'There are no checks.\n')
  assert.equal((await punctual(user, ['logout'])).stdout, `Signed out of ${url}.\n`)
  assert.match((await punctual(user, ['checks', 'list'])).stderr, /no server is known/)
  const byKey = await punctual(user, ['login', url], apiKey)
  assert.equal(byKey.stdout, `Signed in to ${url}. Projects: that of the key.\n`)
  assert.equal((await punctual(user, ['checks', 'list'])).stdout, 'There are no checks.\n')
})

test('what does not exist, is named twice or cannot be reached is a clear error', async t => {
  const { user, env, uuid } = await withServer(t)
  for (const name of ['Twin', 'Twin', 'Nightly backup']) await punctual(user, ['checks', 'create', name])
  const refused = async (env: Record<string, string>, ...args: string[]) => {
    const { code, stderr } = await punctual(env, args)
    assert.notEqual(code, 0)
    return stderr
  }
  assert.equal(
    await refused(user, 'ping', 'nightly'),
    'punctual: there is no check nightly; there is Nightly backup\n',
  )
  assert.match(
    await refused(user, 'ping', 'Twin'),
    /several checks are called Twin; give the UUID:\n {2}[0-9a-f-]{36} {2}Twin {2}\(project Backups\)\n/,
  )
  assert.equal(
    await refused(user, 'checks', 'list', '--project', 'Other'),
    'punctual: there is no project Other\n',
  )
  assert.match(
    await refused(user, 'checks', 'create', 'x', '--cron', '61 * * * *'),
    /^punctual: .*schedule|minute/,
  )
  assert.match(await refused({ ...user, PUNCTUAL_TOKEN: 'wrong' }, 'checks', 'list'), /^punctual: /)
  const keys = ['--project', uuid, '--name', 'CI', '--scopes', 'checks:read', 'checks:write']
  const { token } = await punctualJson(env, ['token', 'create', ...keys])
  const silent = await punctual({ ...user, PUNCTUAL_TOKEN: token }, ['checks', 'create', 'Silent'])
  assert.equal(silent.code, 0)
  assert.match(
    silent.stderr,
    /^punctual: the new check has no channels, so nobody is alerted: .*channels:write\n$/,
  )
  const away = { ...user, PUNCTUAL_URL: 'http://127.0.0.1:1' }
  assert.equal(
    await refused(away, 'checks', 'list'),
    'punctual: http://127.0.0.1:1 cannot be reached: bad port\n',
  )
  assert.match(
    await refused({ ...user, PUNCTUAL_URL: 'ftp://x' }, 'checks', 'list'),
    /is not the address of a server/,
  )
})
