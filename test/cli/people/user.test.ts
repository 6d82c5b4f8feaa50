import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { Visitor } from '../../_support/browser/visitor.js'
import { migratedInstallation, serving } from '../../_support/cli.js'
import { punctual, punctualJson } from '../../_support/warm-cli.js'
import { comeBack } from '../../_support/worlds/come-back.js'

test('user create uses the first line of standard input as the password', async t => {
  const env = await migratedInstallation(t)
  const args = ['user', 'create', 'Alice@Example.org', '--password-stdin']
  const user = await punctualJson(env, args, 'correct horse\n')
  assert.deepEqual(Object.keys(user), ['uuid', 'email'])
  assert.equal(user.email, 'alice@example.org')

  const again = await punctual(env, ['user', 'create', 'alice@example.org'])
  assert.equal(again.code, 1)
  assert.equal(
    again.stderr,
    'punctual: there is a user with the address alice@example.org already: `user sign-in-link` prints a link to sign in with\n',
  )
})

test('user create refuses invalid addresses and passwords', async t => {
  const env = await migratedInstallation(t)
  const bad = await punctual(env, ['user', 'create', 'alice'])
  assert.equal(bad.stderr, 'punctual: "alice" is not an e-mail address\n')
  const short = await punctual(env, ['user', 'create', 'a@example.org', '--password-stdin'], 'short\n')
  assert.equal(short.stderr, 'punctual: the password must have at least 8 characters\n')
  const none = await punctual(env, ['user', 'create', 'a@example.org'])
  assert.match(none.stdout, /^Made the user a@example\.org\.\n/)
  assert.match(none.stdout, /\/accounts\/link\/[\w-]{43}\/\n$/)
})

test('a user created without a password gets a sign-in link', async t => {
  const env = await migratedInstallation(t)
  const { stdout } = await punctual(env, ['user', 'create', 'first@example.org', '--json'])
  assert.match(JSON.parse(stdout).sign_in, /\/accounts\/link\/[\w-]{43}\/$/)
})

test('user list shows the projects and the second step of each user', async t => {
  const env = await migratedInstallation(t)
  assert.equal((await punctual(env, ['user', 'list'])).stdout, 'There are no users.\n')
  const bob = await punctualJson(env, ['user', 'create', 'Bob@example.org'])
  const alice = await punctualJson(env, ['user', 'create', 'alice@example.org'])
  for (const name of ['One', 'Two'])
    await punctualJson(env, ['project', 'create', name, '--owner', 'bob@example.org'])
  const listed = await punctualJson(env, ['user', 'list'])
  for (const { created } of listed) assert.match(created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  assert.deepEqual(
    listed.map(({ created: _, ...user }: { created: string }) => user),
    [
      {
        uuid: alice.uuid,
        email: 'alice@example.org',
        projects: 0,
        second_step: false,
        disabled: false,
        confirmed: true,
      },
      {
        uuid: bob.uuid,
        email: 'bob@example.org',
        projects: 2,
        second_step: false,
        disabled: false,
        confirmed: true,
      },
    ],
  )
  const table = (await punctual(env, ['user', 'list'])).stdout.split('\n')
  assert.match(table[0]!, /^E-MAIL +OWNS PROJECTS +SECOND STEP +STATE +CREATED$/)
  assert.match(table[2]!, /^bob@example\.org +2 +no +active +\d/)
})

test('an address that nobody has proven is shown, and projects go there with a warning', async t => {
  const env = await migratedInstallation(t)
  await punctualJson(env, ['user', 'create', 'bob@example.org'])
  await punctualJson(env, ['project', 'create', 'One', '--owner', 'bob@example.org'])
  const server = await serving(t, { ...env, REGISTRATION_OPEN: 'True' })
  const form = { email: 'mallory@example.org', password: 'correct horse' }
  assert.equal((await new Visitor(server.url).post('/accounts/signup/', form)).status, 303)
  const listed = await punctualJson(env, ['user', 'list'])
  assert.deepEqual(
    listed.map(({ email, confirmed }: { email: string; confirmed: boolean }) => [email, confirmed]),
    [
      ['bob@example.org', true],
      ['mallory@example.org', false],
    ],
  )
  assert.match(
    (await punctual(env, ['user', 'list'])).stdout,
    /mallory@example\.org .* active, not confirmed /,
  )
  const args = ['user', 'delete', 'bob@example.org', '--projects-to', 'mallory@example.org']
  const given = await punctual(env, args)
  assert.equal(given.code, 0)
  assert.equal(
    given.stderr,
    'punctual: nobody has confirmed the address mallory@example.org: whoever made that account has the projects now\n',
  )
})

test('user remove-second-step prints what it removed, and refuses unknown users', async t => {
  const env = await migratedInstallation(t)
  await punctual(env, ['user', 'create', 'alice@example.org'])
  const none = await punctual(env, ['user', 'remove-second-step', 'alice@example.org'])
  assert.deepEqual([none.code, none.stdout], [0, 'alice@example.org has no second step.\n'])
  const unknown = await punctual(env, ['user', 'remove-second-step', 'bob@example.org'])
  assert.equal(unknown.code, 1)
  assert.equal(unknown.stderr, 'punctual: there is no user with the address bob@example.org\n')
})

test('a user who forgot the password signs in once by user sign-in-link', async t => {
  const env = await migratedInstallation(t)
  await punctual(env, ['user', 'create', 'alice@example.org', '--password-stdin'], 'correct horse\n')
  await comeBack(await serving(t, env), env, 'alice@example.org')
})

test('a printed link begins with SITE_ROOT, with a warning if it leads to localhost', async t => {
  const env = await migratedInstallation(t)
  const create = await punctual(env, ['user', 'create', 'alice@example.org'])
  const hint = /^punctual: the link uses SITE_ROOT/
  assert.match(create.stderr, hint)
  const args = ['user', 'sign-in-link', 'alice@example.org']
  assert.match((await punctual(env, args)).stderr, hint)
  const set = await punctual({ ...env, SITE_ROOT: 'https://monitor.example.org/jobs' }, args)
  assert.equal(set.stderr, '')
  assert.match(set.stdout, /\n {2}https:\/\/monitor\.example\.org\/jobs\/accounts\/link\/\S+\n$/)
})

test('user sign-in-link keeps the second step and says so', async t => {
  const env = await migratedInstallation(t)
  const { sign_in } = await punctualJson(env, ['user', 'create', 'alice@example.org'])
  const server = await serving(t, env)
  const alice = new Visitor(server.url)
  await alice.post(new URL(sign_in).pathname)
  const secret = /name="secret" value="(\w+)"/.exec((await alice.get('/accounts/totp/')).text)![1]!
  const code = new TOTP({ secret }).generate()
  assert.equal((await alice.post('/accounts/totp/', { secret, code })).status, 200)

  assert.equal((await punctualJson(env, ['user', 'list']))[0].second_step, true)
  const { stdout } = await punctual(env, ['user', 'sign-in-link', 'alice@example.org'])
  assert.match(stdout, /The second step is asked for as always/)
  const elsewhere = new Visitor(server.url)
  const half = await elsewhere.post(/\/accounts\/link\/\S+/.exec(stdout)![0])
  assert.equal(half.location, '/accounts/login/second/')
  assert.equal((await elsewhere.get('/accounts/profile/')).status, 302, 'not signed in yet')
  await punctual(env, ['user', 'remove-second-step', 'alice@example.org'])
  const again = await punctualJson(env, ['user', 'sign-in-link', 'alice@example.org'])
  assert.equal(again.second_step, false)
  assert.equal((await elsewhere.post(new URL(again.sign_in).pathname)).location, '/accounts/password/')
})

test('user sign-in-link refuses unknown users, and sign-in through a proxy', async t => {
  const env = await migratedInstallation(t)
  await punctual(env, ['user', 'create', 'alice@example.org'])
  const unknown = await punctual(env, ['user', 'sign-in-link', 'bob@example.org'])
  assert.equal(unknown.code, 1)
  assert.equal(unknown.stderr, 'punctual: there is no user with the address bob@example.org\n')
  const bad = await punctual(env, ['user', 'sign-in-link', 'alice'])
  assert.equal(bad.stderr, 'punctual: "alice" is not an e-mail address\n')
  const proxied = { ...env, REMOTE_USER_HEADER: 'X-User', TRUSTED_PROXIES: '127.0.0.1' }
  const useless = await punctual(proxied, ['user', 'sign-in-link', 'alice@example.org'])
  assert.equal(useless.code, 1)
  assert.match(useless.stderr, /REMOTE_USER_HEADER/)
})
