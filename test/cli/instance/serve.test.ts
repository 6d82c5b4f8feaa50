import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTransport } from 'nodemailer'
import {
  freshInstallation,
  installationWithProject,
  program,
  punctual,
  punctualJson,
  type Serving,
  serving,
} from '../../_support/cli.js'
import { eventually } from '../../_support/eventually.js'
import { openRecorder } from '../../_support/servers/recorder.js'

const greetingOf = ({ output }: Serving) =>
  eventually(() => /\/ping\/(\S+)[\s\S]*(node \S*main\.js) (key create .*)\n/.exec(output.stdout))

test('the first run creates a project and a check, and prints commands to paste', async t => {
  const env = await freshInstallation(t)
  const server = await serving(t, env)
  const [greeting, check, program, command] = await greetingOf(server)
  assert.match(greeting!, /^\/ping\//)
  assert.equal(program, 'node dist/main.js')
  assert.ok(existsSync(join(env.DATA_DIR!, 'secret_key')))

  const ping = await fetch(`${server.url}/ping/${check}`)
  assert.equal(await ping.text(), 'OK')
  const key = (await punctual(env, command!.split(' '))).stdout.trim()
  const answer = await fetch(`${server.url}/api/v3/checks/`, { headers: { 'X-Api-Key': key } })
  const { checks } = (await answer.json()) as { checks: { name: string; slug: string; n_pings: number }[] }
  assert.deepEqual(
    checks.map(({ name, slug, n_pings }) => ({ name, slug, n_pings })),
    [{ name: 'My first check', slug: 'my-first-check', n_pings: 1 }],
  )

  assert.equal(await server.end('SIGTERM'), 0)
  assert.ok(!server.output.stderr.includes(check!), 'the log holds the ping URL')
  for (const line of server.output.stderr.trim().split('\n')) assert.ok(JSON.parse(line).msg)

  const second = await serving(t, env)
  assert.equal(await second.end('SIGINT'), 0)
  assert.match(
    second.output.stdout,
    /^Create the first account here[^\n]*\n\n\s+http\S+\/accounts\/first\/[\w-]{43}\/\n+$/,
  )
})

test('the first run creates no default project if there is one', async t => {
  const { env, uuid } = await installationWithProject(t)
  const server = await serving(t, env)
  assert.equal(await server.end('SIGTERM'), 0)
  assert.doesNotMatch(server.output.stdout, /Default/)
  const projects = await punctualJson(env, ['project', 'list'])
  assert.deepEqual(
    projects.map((project: { uuid: string }) => project.uuid),
    [uuid],
  )
})

test('a server sees what the command line adds, and alerts through it', async t => {
  const receiver = await openRecorder(t)
  const env = await freshInstallation(t, { INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True' })
  const server = await serving(t, env)
  const project = await punctualJson(env, ['project', 'create', 'Home'])
  const fields = ['--set', `url_down=${receiver.url}/$NAME-is-$STATUS`]
  const options = ['--project', project.uuid, '--kind', 'webhook', '--name', 'Screen', ...fields]
  await punctualJson(env, ['channel', 'add', ...options])

  const made = await fetch(`${server.url}/ping/${project.ping_key}/backup?create=1`)
  assert.equal(made.status, 201)
  await fetch(`${server.url}/ping/${project.ping_key}/backup/fail`)
  const request = await eventually(() => receiver.requests[0])
  assert.equal(`${request.method} ${request.url}`, 'GET /backup-is-down')

  assert.deepEqual(await punctualJson(env, ['prune']), { deleted_pings: 0 })
  assert.equal(await server.end('SIGTERM'), 0)
  assert.ok(!server.output.stderr.includes(project.ping_key))
})

test('a server goes on when the readers of its log and of what it prints have ended', async t => {
  const server = await serving(t, await freshInstallation(t))
  const [, check] = await greetingOf(server)
  server.stopReading()
  for (let n = 0; n < 3; n++) {
    const { status } = await fetch(`${server.url}/api/v3/checks/`, {
      headers: { 'X-Api-Key': 'x'.repeat(32) },
    })
    assert.equal(status, 401)
  }
  assert.equal(await (await fetch(`${server.url}/ping/${check}`)).text(), 'OK')
  assert.equal(await server.end('SIGTERM'), 0)
})

test('a port in use prints one line and does not count as the first run', async t => {
  const { port } = await openRecorder(t)
  const env = await freshInstallation(t)
  const settings = { ...env, HOST: '127.0.0.1', PORT: String(port) }
  const { code, stderr, stdout } = await punctual(settings, ['serve'])
  assert.deepEqual(
    { code, stderr, stdout },
    { code: 1, stderr: `punctual: port ${port} is in use: set PORT to another one\n`, stdout: '' },
  )
  const server = await serving(t, env)
  await greetingOf(server)
  assert.equal(await server.end('SIGTERM'), 0)
})

test('every start prints a link for the first account until there is one', async t => {
  const env = await freshInstallation(t)
  const linkOf = ({ output }: Serving) =>
    eventually(() => /\/accounts\/first\/([\w-]{43})\//.exec(output.stdout)?.[1])
  const first = await serving(t, env)
  const older = await linkOf(first)
  assert.ok(!first.output.stderr.includes(older))
  assert.equal(await first.end('SIGTERM'), 0)
  const second = await serving(t, env)
  const newer = await linkOf(second)
  assert.equal((await fetch(`${second.url}/accounts/first/${older}/`)).status, 410)
  assert.equal((await fetch(`${second.url}/accounts/first/${newer}/`)).status, 200)
  assert.equal(await second.end('SIGTERM'), 0)
  await punctual(env, ['user', 'create', 'alice@example.org'])
  const third = await serving(t, env)
  assert.equal(await third.end('SIGTERM'), 0)
  assert.equal(third.output.stdout, '')
})

test('with SMTPD_PORT it receives pings by e-mail, and stops both listeners', async t => {
  const { env } = await installationWithProject(t)
  const server = await serving(t, { ...env, SMTPD_PORT: '0', SMTPD_HOST: '127.0.0.1' })
  const [, port] = /"smtpPort":(\d+)/.exec(server.output.stderr)!
  const transport = createTransport({ host: '127.0.0.1', port: Number(port), ignoreTLS: true })
  const to = '3cba109f-0c06-47ea-8a3c-2f7d6a5f0e11@localhost'
  await transport.sendMail({ from: 'cron@job.example.org', to, text: 'done' })
  await assert.rejects(transport.sendMail({ from: 'a@b.example', to: 'c@d.example', text: 'relay me' }))
  await eventually(() => server.output.stderr.includes('"outcome":"not-found"'))
  assert.equal(await server.end('SIGTERM'), 0)
})

test('an SMTPD_PORT that is in use is named as such', async t => {
  const { port } = await openRecorder(t)
  const { env } = await installationWithProject(t)
  const settings = { ...env, HOST: '127.0.0.1', PORT: '0', SMTPD_HOST: '127.0.0.1', SMTPD_PORT: String(port) }
  const { code, stderr } = await punctual(settings, ['serve'])
  assert.deepEqual(
    { code, stderr },
    { code: 1, stderr: `punctual: port ${port} is in use: set SMTPD_PORT to another one\n` },
  )
})

test('a METRICS_PORT that is in use ends a start that already listens elsewhere', async t => {
  const { port } = await openRecorder(t)
  const { env } = await installationWithProject(t)
  const listening = { HOST: '127.0.0.1', PORT: '0', SMTPD_HOST: '127.0.0.1', SMTPD_PORT: '0' }
  const { code, stderr } = await punctual({ ...env, ...listening, METRICS_PORT: String(port) }, ['serve'])
  assert.deepEqual(
    { code, stderr },
    { code: 1, stderr: `punctual: port ${port} is in use: set METRICS_PORT to another one\n` },
  )
})

test('an invalid certificate for STARTTLS stops the start', async t => {
  const { env } = await installationWithProject(t)
  const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'
  const settings = { ...env, PORT: '0', SMTPD_PORT: '0', SMTPD_TLS_CERT: pem, SMTPD_TLS_KEY: pem }
  const { code, stderr } = await punctual(settings, ['serve'])
  assert.equal(code, 1)
  assert.match(stderr, /^punctual: SMTPD_TLS_CERT and SMTPD_TLS_KEY cannot be used: /)
})

test('a start that cannot write the key leaves no empty file', async t => {
  const env = await freshInstallation(t)
  const { DATA_DIR } = env
  const limited = spawnSync('sh', ['-c', `ulimit -f 0; exec "${process.execPath}" "${program}" serve`], {
    env,
  })
  assert.notEqual(limited.status, 0)
  assert.deepEqual(await readdir(DATA_DIR!), [])
})
