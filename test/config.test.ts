import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { ConfigError, loadConfig, reportConfig, secretsOf } from '../src/config.js'
import { operatorSettings } from '../src/integrations/index.js'
import { MASK } from '../src/lib/settings.js'
import { tempFolder } from './_support/worlds/store.js'

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig(env)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems
  }
}

test('by default it uses port 8000 and SQLite in ./data', () => {
  const config = loadConfig({})
  assert.equal(config.PORT, 8000)
  assert.equal(config.DATA_DIR, resolve('data'))
  assert.equal(config.SITE_ROOT, 'http://localhost:8000')
  assert.equal(config.PING_ENDPOINT, 'http://localhost:8000/ping/')
  assert.equal(config.CHECK_LIMIT, 10_000)
  assert.equal(config.PING_LOG_LIMIT, 1_000)
  assert.equal(config.OUTAGE_HOLD, 600)
  assert.equal(config.WRAP_FLIPS, false)
  assert.ok(Object.isFrozen(config))
})

test('SITE_ROOT loses its trailing slash and is the beginning of ping addresses', () => {
  const config = loadConfig({ SITE_ROOT: 'https://example.org/monitor/' })
  assert.equal(config.SITE_ROOT, 'https://example.org/monitor')
  assert.equal(config.PING_ENDPOINT, 'https://example.org/monitor/ping/')
  assert.equal(
    loadConfig({ PING_ENDPOINT: 'https://p.example.org/' }).PING_ENDPOINT,
    'https://p.example.org/',
  )
})

test('a default may refer to another setting', () => {
  const config = loadConfig({ SITE_NAME: 'Home', PING_EMAIL_DOMAIN: 'Ping.example.org' })
  assert.equal(config.MASTER_BADGE_LABEL, 'Home')
  assert.equal(config.DEFAULT_FROM_EMAIL, 'punctual@ping.example.org')
})

for (const [given, expected] of [
  ['True', true],
  ['true', true],
  ['False', false],
  ['false', false],
  ['', false],
] as const) {
  test(`a switch set to "${given}" is ${expected}`, () => {
    assert.equal(loadConfig({ REGISTRATION_OPEN: given }).REGISTRATION_OPEN, expected)
  })
}

test('an empty variable counts as unset, except for a switch', () => {
  assert.equal(loadConfig({ PORT: '', SITE_NAME: '' }).PORT, 8000)
  assert.equal(loadConfig({ SITE_NAME: '' }).SITE_NAME, 'Punctual')
})

test('PING_BODY_LIMIT may be None, which stores whole bodies', () => {
  assert.equal(loadConfig({ PING_BODY_LIMIT: 'None' }).PING_BODY_LIMIT, null)
  assert.equal(loadConfig({ PING_BODY_LIMIT: '0' }).PING_BODY_LIMIT, 0)
})

test('TRUSTED_PROXIES is a list of addresses and networks', () => {
  const { TRUSTED_PROXIES } = loadConfig({ TRUSTED_PROXIES: '10.0.0.0/8, ::1' })
  assert.deepEqual(TRUSTED_PROXIES, ['10.0.0.0/8', '::1'])
})

test('all invalid values are reported at once', () => {
  const problems = problemsOf({
    HOST: 'not a host',
    PORT: '70000',
    SITE_ROOT: 'example.org',
    PING_ENDPOINT: 'https://example.org/ping',
    PING_BODY_LIMIT: '10k',
    REGISTRATION_OPEN: 'yes',
    TRUSTED_PROXIES: '10.0.0.0/33',
    LOG_FORMAT: 'xml',
    EMAIL_MAIL_FROM_TMPL: 'bounce@example.org',
    DEFAULT_FROM_EMAIL: 'nobody',
  })
  assert.deepEqual(
    problems.map(problem => problem.split(' ')[0]),
    [
      'HOST',
      'PORT',
      'SITE_ROOT',
      'TRUSTED_PROXIES',
      'PING_ENDPOINT',
      'PING_BODY_LIMIT',
      'REGISTRATION_OPEN',
      'DEFAULT_FROM_EMAIL',
      'EMAIL_MAIL_FROM_TMPL',
      'LOG_FORMAT',
    ],
  )
  assert.equal(problems[1], 'PORT must be a whole number from 0 to 65535, not "70000"')
})

test('NAME_FILE names a file with the value, and takes precedence over NAME', async t => {
  const file = join(await tempFolder(t), 'password')
  writeFileSync(file, 'from the file\n')
  const config = loadConfig({ EMAIL_HOST_PASSWORD: 'direct', EMAIL_HOST_PASSWORD_FILE: file })
  assert.equal(config.EMAIL_HOST_PASSWORD, 'from the file')
})

test('an unreadable NAME_FILE stops the start', () => {
  assert.deepEqual(problemsOf({ METRICS_KEY_FILE: '/nowhere/at/all' }), [
    'METRICS_KEY_FILE must name a readable file, but /nowhere/at/all cannot be read (ENOENT)',
  ])
})

test('the placeholder SECRET_KEY of Healthchecks is refused without repeating it', () => {
  const [problem] = problemsOf({ SECRET_KEY: '---' })
  assert.match(problem!, /^SECRET_KEY must be random text/)
  assert.ok(!problem!.includes('---'))
})

test('DATABASE_URL is a PostgreSQL address and requires a SECRET_KEY', () => {
  const DATABASE_URL = 'postgres://me:hidden@db/punctual'
  assert.equal(loadConfig({ DATABASE_URL, SECRET_KEY: 'k' }).DATABASE_URL, DATABASE_URL)
  const problems = problemsOf({ DATABASE_URL })
  assert.equal(problems.length, 1)
  assert.match(problems[0]!, /^SECRET_KEY must be set/)
  assert.ok(!problems.join().includes('hidden'))
  assert.equal(problemsOf({ DATABASE_URL: 'mysql://db', SECRET_KEY: 'k' }).length, 1)
})

test('SECRET_KEY_PREVIOUS must differ from SECRET_KEY, and is also secret', () => {
  assert.deepEqual(problemsOf({ SECRET_KEY: 'same', SECRET_KEY_PREVIOUS: 'same' }), [
    'SECRET_KEY_PREVIOUS must differ from SECRET_KEY: it is the key before',
  ])
  const keys = { SECRET_KEY: 'the new one', SECRET_KEY_PREVIOUS: 'the old one' }
  assert.deepEqual(secretsOf(loadConfig(keys)), ['the new one', 'the old one'])
  assert.ok(!JSON.stringify(reportConfig(keys)).includes('the old one'))
})

test('STARTTLS and implicit TLS exclude each other, unless STARTTLS is only the default', () => {
  assert.equal(problemsOf({ EMAIL_USE_SSL: 'True', EMAIL_USE_TLS: 'True' }).length, 1)
  assert.deepEqual(problemsOf({ EMAIL_USE_SSL: 'True' }), [])
})

test('two listeners cannot share a port, unless each uses any free one', () => {
  assert.deepEqual(problemsOf({ PORT: '9000', METRICS_PORT: '9000', SMTPD_PORT: '9000' }), [
    'METRICS_PORT must differ from PORT',
    'SMTPD_PORT must differ from PORT',
    'SMTPD_PORT must differ from METRICS_PORT',
  ])
  assert.deepEqual(problemsOf({ PORT: '0', SMTPD_PORT: '0' }), [])
})

test('the report names the source of each value and masks secrets', async t => {
  const file = join(await tempFolder(t), 'key')
  writeFileSync(file, 'a metrics key')
  const report = reportConfig({ PORT: '9000', METRICS_KEY_FILE: file, SECRET_KEY: 'a secret' })
  const of = (name: string) => report.find(row => row.name === name)!
  assert.deepEqual(of('PORT'), { name: 'PORT', group: 'Server', value: '9000', source: 'environment' })
  assert.equal(of('HOST').source, 'default')
  assert.equal(of('METRICS_KEY').value, MASK)
  assert.equal(of('METRICS_KEY').source, `METRICS_KEY_FILE (${file})`)
  assert.equal(of('EMAIL_HOST_PASSWORD').value, '')
  assert.ok(!JSON.stringify(report).includes('a secret'))
})

test('settings of integrations are added to the table', () => {
  const rows = [
    { name: 'CHAT_TOKEN', secret: true, help: 'A token.' },
    { name: 'CHAT_ENABLED', type: 'flag' as const, default: 'True', help: 'Whether there is chat.' },
    { name: 'CHAT_SECONDS', type: 'number' as const, default: '60', help: 'How long.' },
  ]
  const config = loadConfig({ CHAT_TOKEN: 'abc123' }, rows)
  assert.deepEqual({ ...config.operator }, { CHAT_TOKEN: 'abc123', CHAT_ENABLED: 'true', CHAT_SECONDS: '60' })
  assert.deepEqual(secretsOf(config, rows), ['abc123'])
  assert.throws(() => loadConfig({ CHAT_ENABLED: 'on' }, rows), /CHAT_ENABLED must be True or False/)
  assert.throws(() => loadConfig({ CHAT_SECONDS: '1m' }, rows), /CHAT_SECONDS must be /)
  assert.throws(() => loadConfig({}, [{ name: 'PORT', help: '' }]), /exists already/)
})

test('SHELL_ENABLED and REGISTRATION_OPEN exclude each other', () => {
  const enabled = { SHELL_ENABLED: 'True' }
  assert.throws(() => loadConfig(enabled, operatorSettings), {
    name: 'ConfigError',
    message:
      'REGISTRATION_OPEN must be False when SHELL_ENABLED is True: otherwise anyone could sign up and run commands on this machine',
  })
  assert.throws(() => reportConfig({ ...enabled, REGISTRATION_OPEN: 'True' }, operatorSettings), ConfigError)
  const config = loadConfig({ ...enabled, REGISTRATION_OPEN: 'False' }, operatorSettings)
  assert.equal(config.operator.SHELL_ENABLED, 'true')
})
