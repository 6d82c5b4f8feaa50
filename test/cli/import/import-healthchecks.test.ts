/** A move from Healthchecks as the guide describes it, and what must work afterwards as before. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { TOTP } from 'otpauth'
import { badgeSignature } from '../../../src/lib/secrets/badge-signature.js'
import { signDjango } from '../../../src/lib/secrets/django-signing.js'
import { openSide } from '../../../src/storage/copy/side.js'
import { openSource } from '../../../src/storage/import/source.js'
import { sqliteEngine } from '../../../src/storage/sqlite/engines/index.js'
import { Visitor } from '../../_support/browser/visitor.js'
import {
  type Env,
  freshInstallation,
  migratedInstallation,
  punctual,
  punctualJson,
  serving,
} from '../../_support/cli.js'
import { eventually } from '../../_support/eventually.js'
import { healthchecks, healthchecksFile } from '../../_support/healthchecks.js'
import { openMailServer } from '../../_support/servers/mail-server.js'
import { wordsOf } from '../../_support/words-of.js'
import { tempFolder } from '../../_support/worlds/store.js'

const { secretKey, alice, bob, production, unnamed } = healthchecks
const IMPORT = ['import', 'healthchecks']

async function installation(t: TestContext): Promise<{ env: Env; address: string }> {
  const env = await freshInstallation(t, { SECRET_KEY: secretKey })
  return { env, address: `sqlite:${env.DATA_DIR}/punctual.db` }
}

test('a dry run counts, says what cannot be carried over, and writes nothing', async t => {
  const { env } = await installation(t)
  const file = await healthchecksFile(t)
  const { code, stdout } = await punctual(env, [...IMPORT, file, '--dry-run'])
  assert.equal(code, 0)
  assert.match(stdout, /api_check: 42\n/)
  assert.match(stdout, /LINE \(gone\) \(linenotify\): not carried over: LINE Notify has ended/)
  assert.match(stdout, /accounts_profile\.check_limit, .*: limits of accounts are settings/)
  assert.match(stdout, /Nothing was written\.\n$/)
  const { added } = await punctualJson(env, [...IMPORT, file])
  assert.equal(added.checks, 42)
})

test('a dry run stores no SECRET_KEY, and names the database and what kinds of channels need here', async t => {
  const env = await freshInstallation(t)
  const file = await healthchecksFile(t)
  const { code, stdout } = await punctual(env, [...IMPORT, file, '--dry-run'])
  assert.equal(code, 0)
  assert.ok(!existsSync(env.DATA_DIR!), 'it made the data folder')
  assert.ok(stdout.startsWith(`Database: sqlite:${env.DATA_DIR}/punctual.db\n`))
  assert.match(stdout, /channels of the kind telegram: they send nothing until this is set: `TELEGRAM_TOKEN`/)
  const onPostgres = {
    ...env,
    SECRET_KEY: secretKey,
    DATABASE_URL: 'postgres://me:s3cret@db.example.org:5433/punctual?password=s3cret',
  }
  const { into } = await punctualJson(onPostgres, [...IMPORT, file, '--dry-run'])
  assert.equal(into, 'postgres://db.example.org:5433/punctual')
})

test('the SECRET_KEY of Healthchecks may come from the environment', async t => {
  const { env } = await installation(t)
  const file = await healthchecksFile(t)
  const given = { ...env, HEALTHCHECKS_SECRET_KEY: 'another' }
  const report = await punctualJson(given, [...IMPORT, file, '--dry-run'])
  assert.match(keyNote(report)!, /set SECRET_KEY_PREVIOUS to it/)
})

test('a second import adds nothing, and one with another SECRET_KEY says what to set', async t => {
  const { env, address } = await installation(t)
  const file = await healthchecksFile(t)
  const first = await punctualJson(env, [...IMPORT, file, '--secret-key', secretKey])
  assert.equal(first.added.channels, 25)
  assert.match(keyNote(first)!, /nothing in the database proves/)
  const before = await contents(address)
  const again = await punctualJson(env, [...IMPORT, file, '--secret-key', 'another'])
  assert.equal(again.added.checks, undefined)
  assert.equal(again.added.pings, undefined)
  assert.match(again.notes.at(-1).text, /set SECRET_KEY_PREVIOUS/)
  assert.deepEqual(await contents(address), before)
})

test('a session of Healthchecks proves its SECRET_KEY, and an invitation is named', async t => {
  const { env } = await installation(t)
  const file = await healthchecksFile(t)
  const database = sqliteEngine().open(file, { mustExist: true })
  const session = signDjango(secretKey, 'django.contrib.sessions.SessionStore', '.eJxVjEE', '1tMQqH')
  database.exec(`INSERT INTO django_session VALUES ('k', '${session}', '2026-12-01 00:00:00')`)
  database.exec(`UPDATE auth_user SET password = '!x', last_login = NULL WHERE email = '${bob.email}'`)
  database.close()
  const plan = async (env: Env, ...key: string[]) =>
    await punctualJson(env, [...IMPORT, file, '--dry-run', ...key])
  assert.equal(keyNote(await plan(env)), undefined)
  assert.equal(keyNote(await plan(env, '--secret-key', secretKey)), undefined)
  const other = { ...env, SECRET_KEY: 'another' }
  assert.match(keyNote(await plan(other))!, /no key of this server signed the sessions/)
  assert.match(keyNote(await plan(other, '--secret-key', 'another'))!, /did not sign the sessions/)
  assert.match(keyNote(await plan(other, '--secret-key', secretKey))!, /set SECRET_KEY_PREVIOUS to it/)
  const { notes } = await plan(env)
  const invitation = notes.find(
    (note: { subject: string }) => note.subject === `the invitation of ${bob.email}`,
  )
  assert.match(invitation.text, /the link in it ends/)
})

test('dumps and MySQL are refused with what to do instead', async t => {
  const { env } = await installation(t)
  const file = join(await tempFolder(t), 'dump.sql')
  const refusal = async (source: string, text?: string) => {
    if (text !== undefined) await writeFile(file, text)
    return (await punctual(env, [...IMPORT, source])).stderr
  }
  assert.match(await refusal('mysql://hc@db/hc'), /let Healthchecks copy its data into SQLite/)
  assert.match(await refusal(file, '-- MySQL dump 10.13  Distrib 8.4.2\n'), /is a dump of MySQL/)
  assert.match(
    await refusal(file, '/*M!999999\\- enable the sandbox mode */\n-- MariaDB dump'),
    /is a dump of MySQL/,
  )
  assert.match(
    await refusal(file, '--\n-- PostgreSQL database dump\n--\n'),
    /is a dump of PostgreSQL: restore it/,
  )
  assert.match(await refusal(file, 'PGDMP\u0001'), /is a dump of PostgreSQL/)
})

test('what is no database of Healthchecks is refused', async t => {
  const { env } = await installation(t)
  const { code, stderr } = await punctual(env, [...IMPORT, '/nowhere/hc.sqlite'])
  assert.equal(code, 1)
  assert.match(stderr, /cannot be read as a SQLite database/)
})

test('a damaged database is refused with the row and the column', async t => {
  const { env } = await installation(t)
  const file = await healthchecksFile(t)
  for (const [sql, wrong] of [
    [
      "UPDATE api_flip SET created = 'x' WHERE id = (SELECT max(id) FROM api_flip)",
      'api_flip.created of row',
    ],
    ["UPDATE api_check SET grace = '1 h' WHERE id = 2", 'api_check.grace of row 2 is “1 h”'],
  ] as const) {
    const database = sqliteEngine().open(file, { mustExist: true })
    database.exec(sql)
    database.close()
    const { code, stderr } = await punctual(env, [...IMPORT, file])
    assert.equal(code, 1)
    assert.ok(stderr.includes(`the database of Healthchecks is damaged: ${wrong}`), stderr)
  }
})

test('after the move, addresses, keys, people, channels and history are as before', async t => {
  const { env, address } = await installation(t)
  const file = await healthchecksFile(t)
  await punctualJson(env, [...IMPORT, file])
  const source = await openSource(file)
  const rows = await source.page('api_check', 0, 1_000)
  const flips = await source.page('api_flip', 0, 100_000)
  await source.close()
  const named = (name: string) => rows.find(row => row.name === name)!
  const { url } = await serving(t, env)
  const api = async (path: string, key: string) => {
    const answer = await fetch(`${url}/api/v3/${path}`, { headers: { 'X-Api-Key': key } })
    assert.equal(answer.status, 200, path)
    // biome-ignore lint/suspicious/noExplicitAny: the shapes are those of the API
    return (await answer.json()) as any
  }

  // Keys: hashed, read-only and plain ones.
  const { checks } = await api('checks/', production.key)
  assert.equal(checks.length, rows.filter(row => row.project_id === 3).length)
  await api('checks/', production.readOnlyKey)
  await api('checks/', unnamed.key)

  // Schedules and the uptime of the past.
  const cron = rows.find(row => row.project_id === 3 && row.kind === 'cron' && row.status === 'up')!
  const shown = await api(`checks/${cron.code}`, production.key)
  assert.equal(Date.parse(shown.next_ping) * 1000, Math.floor(cron.alert_after! - cron.grace!))
  const flipped = await api(`checks/${cron.code}/flips/`, production.key)
  const expected = flips.filter(flip => flip.owner_id === cron.id).map(flip => flip.new_status === 'up')
  assert.deepEqual(flipped.map(({ up }: { up: number }) => up === 1).reverse(), expected)

  // Channels, with their identifiers.
  const { channels } = await api('channels/', production.key)
  const slack = channels.find(({ name }: { name: string }) => name === 'Slack app')
  assert.deepEqual(slack, { id: '5baa14bd-3f53-451e-9f75-1132505cd24e', name: 'Slack app', kind: 'slack' })

  // Pings, by UUID and by slug, continue the numbers.
  const check = named('Backup db02')
  for (const path of [check.code!, `${production.pingKey}/${check.slug}`]) {
    assert.equal((await fetch(`${url}/ping/${path}`)).status, 200)
  }
  assert.equal((await fetch(`${url}/ping/${unnamed.pingKey}/${named('job 1').slug}`)).status, 200)
  const { n_pings, status } = await api(`checks/${check.code}`, production.key)
  assert.deepEqual({ n_pings, status }, { n_pings: check.n_pings! + 2, status: 'up' })
  const { pings } = await api(`checks/${check.code}/pings/`, production.key)
  assert.deepEqual(
    pings.slice(0, 3).map(({ n }: { n: number }) => n),
    [2, 1, 0].map(more => check.n_pings! + more),
  )

  // Badges of a project, a tag and a check.
  const signed = (tag: string) => badgeSignature(production.badgeKey, secretKey, tag)
  for (const path of [
    `badge/${production.badgeKey}/${signed('*')}-2.json`,
    `badge/${production.badgeKey}/${signed('backup')}/backup.svg`,
    `b/3/${check.badge_key}.json`,
  ]) {
    assert.equal((await fetch(`${url}/${path}`)).status, 200, path)
  }

  // People: a PBKDF2 password; an Argon2 password with a code, whose hash is renewed; a role.
  const owner = new Visitor(url)
  await owner.signIn(alice.email, alice.password)
  const member = new Visitor(url)
  const asked = await member.post('/accounts/login/', { email: bob.email, password: bob.password })
  assert.equal(asked.location, '/accounts/login/second/')
  const code = new TOTP({ secret: bob.totp }).generate()
  assert.equal((await member.post('/accounts/login/second/', { code })).status, 303)
  const team = (visitor: Visitor) => visitor.get(`/projects/${production.uuid}/settings/`)
  assert.match((await team(owner)).text, /bob@example\.org/)
  assert.equal((await member.get(`/projects/${production.uuid}/checks/`)).status, 200)
  const stranger = await new Visitor(url).get(`/projects/${production.uuid}/checks/`)
  assert.notEqual(stranger.status, 200)
  const side = await openSide(address, { create: false })
  t.after(() => side.close())
  const people = await side.sql
    .selectFrom('users')
    .select(['email', 'password_hash', 'reports', 'next_report_at'])
    .orderBy('email')
    .execute()
  assert.ok(people.every(({ password_hash }) => password_hash!.startsWith('$scrypt$')))
  const members = await side.sql.selectFrom('members').select('role').orderBy('role').execute()
  assert.deepEqual(
    members.map(({ role }) => role),
    ['manager', 'member', 'readonly'],
  )

  // The report's day.
  assert.equal(people[0]!.reports, 'weekly')
  assert.equal(people[0]!.next_report_at, Date.parse('2026-11-24T22:14:09Z'))

  // Unsubscribe links in e-mails that Healthchecks sent.
  const channelUuid = 'cae64f50-921d-47f8-a18e-65099f48104e'
  const token = createHash('sha1')
    .update(channelUuid + secretKey)
    .digest('hex')
  const post = async (path: string) => await (await fetch(url + path, { method: 'POST' })).text()
  const forged = signDjango('another key', 'alerts', token, '1tMQqH')
  assert.match(await post(`/integrations/${channelUuid}/unsub/${forged}/`), /Incorrect link/)
  const link = signDjango(secretKey, 'alerts', token, '1tMQqH')
  assert.doesNotMatch(await post(`/integrations/${channelUuid}/unsub/${link}/`), /Incorrect link/)
  const channel = await side.sql
    .selectFrom('channels')
    .select('disabled')
    .where('uuid', '=', channelUuid)
    .executeTakeFirstOrThrow()
  assert.equal(channel.disabled, 1)
  const reports = signDjango(secretKey, 'reports', bob.username, '1tMQqH')
  assert.doesNotMatch(await post(`/accounts/unsubscribe_reports/${reports}/`), /Incorrect link/)
})

test('an account here whose address nobody has proven goes to the person of Healthchecks', async t => {
  const env = await migratedInstallation(t, { SECRET_KEY: secretKey })
  const open = { ...env, REGISTRATION_OPEN: 'True' }
  const file = await healthchecksFile(t)
  await punctualJson(env, ['user', 'create', 'operator@example.org', '--password-stdin'], 'own words here')
  const before = await serving(t, open)
  const [attacker, guest] = [new Visitor(before.url), new Visitor(before.url)]
  const planted = { email: alice.email, password: 'attackers own words' }
  const made = await attacker.post('/accounts/signup/', planted)
  assert.equal(made.status, 303, made.text)
  const project = /\/projects\/[\w-]+\//.exec((await attacker.open('/')).text)![0]
  await attacker.post(`${project}invitations/add/`, { role: 'manager' })
  const invitation = /\/accounts\/invitations\/[\w-]+\//.exec(
    (await attacker.get(`${project}settings/`)).text,
  )![0]
  assert.equal((await guest.get(invitation)).status, 200)
  const other = new Visitor(before.url)
  await other.post(invitation, { email: 'evil@example.org', password: planted.password })
  await attacker.post(`${project}invitations/add/`, { role: 'manager' })
  const second = /\/accounts\/invitations\/[\w-]+\//.exec(
    (await attacker.get(`${project}settings/`)).text,
  )![0]
  assert.equal((await guest.get(second)).status, 200)
  await before.end('SIGTERM')

  const { notes } = await punctualJson(env, [...IMPORT, file])
  const note = notes.find(({ subject }: { subject: string }) => subject === `the account ${alice.email}`)
  assert.match(note.text, /nobody had proven its address.*others may still have access to its projects/)
  const post = await openMailServer(t)
  const { host, port } = post.options
  const mailing = { EMAIL_HOST: host, EMAIL_PORT: String(port), EMAIL_USE_TLS: 'False' }
  const { url } = await serving(t, { ...open, ...mailing })
  const [thief, owner] = [new Visitor(url), new Visitor(url)]
  for (const [name, value] of attacker.cookies) thief.cookies.set(name, value)
  assert.equal((await thief.get('/accounts/profile/')).status, 302)
  assert.equal((await thief.get(`/projects/${production.uuid}/checks/`)).status, 302)
  assert.notEqual((await new Visitor(url).post('/accounts/login/', planted)).status, 303)
  assert.equal((await new Visitor(url).get(second)).status, 410)
  const { email, password } = alice
  const entered = await owner.post('/accounts/login/?next=/', { email, password })
  assert.deepEqual([entered.status, entered.location], [303, '/accounts/review/'])
  assert.match(wordsOf((await owner.get('/accounts/review/')).text), /evil@example\.org/)
  const again = await new Visitor(url).post('/accounts/login/', { email, password })
  assert.notEqual(again.location, '/accounts/review/')
  const told = await eventually(() => post.mails.find(({ text }) => /imported from Healthchecks/.test(text)))
  assert.deepEqual(told.envelope.to, [email])
  assert.match(told.headers.subject!, /^Your account at .+ is confirmed$/)
  assert.equal((await owner.get(`/projects/${production.uuid}/checks/`)).status, 200)
})

test('an account that was disabled here stays so, and what opened it has ended when it is enabled', async t => {
  const env = await migratedInstallation(t, { SECRET_KEY: secretKey })
  const open = { ...env, REGISTRATION_OPEN: 'True' }
  await punctualJson(env, ['user', 'create', 'operator@example.org', '--password-stdin'], 'own words here')
  const before = await serving(t, open)
  const planted = { email: alice.email, password: 'attackers own words' }
  assert.equal((await new Visitor(before.url).post('/accounts/signup/', planted)).status, 303)
  await before.end('SIGTERM')
  await punctual(env, ['user', 'disable', alice.email])

  const { notes } = await punctualJson(env, [...IMPORT, await healthchecksFile(t)])
  const note = notes.find(({ subject }: { subject: string }) => subject === `the account ${alice.email}`)
  assert.match(note.text, /nobody had proven its address.*disabled/)
  const { url } = await serving(t, open)
  const own = { email: alice.email, password: alice.password }
  assert.notEqual((await new Visitor(url).post('/accounts/login/', own)).status, 303, 'it is disabled')
  await punctual(env, ['user', 'enable', alice.email])
  assert.notEqual((await new Visitor(url).post('/accounts/login/', planted)).status, 303)
  const owner = new Visitor(url)
  await owner.signIn(alice.email, alice.password)
  assert.equal((await owner.get('/accounts/review/')).status, 200)
  assert.equal((await owner.get(`/projects/${production.uuid}/checks/`)).status, 200)
})

/** What an import said about the SECRET_KEY. */
function keyNote({ notes }: { notes: { subject: string; text: string }[] }): string | undefined {
  return notes.find(({ subject }) => subject === 'SECRET_KEY')?.text
}

/** The number of rows, and what a second import could change. */
async function contents(address: string) {
  const side = await openSide(address, { create: false })
  try {
    const counts: Record<string, number> = {}
    for (const table of [
      'users',
      'members',
      'api_keys',
      'pings',
      'flips',
      'incidents',
      'notifications',
      'reported',
    ] as const) {
      const row = await side.sql
        .selectFrom(table)
        .select(eb => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
      counts[table] = Number(row.n)
    }
    return {
      counts,
      projects: await side.sql.selectFrom('projects').selectAll().orderBy('id').execute(),
      checks: await side.sql.selectFrom('checks').selectAll().orderBy('id').execute(),
      channels: await side.sql.selectFrom('channels').selectAll().orderBy('id').execute(),
    }
  } finally {
    await side.close()
  }
}
