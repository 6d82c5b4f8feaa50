/** The built program on PostgreSQL, as several processes. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { type Env, freshInstallation, punctual, punctualJson, serving, starting } from '../../_support/cli.js'
import { eventually } from '../../_support/eventually.js'
import { freshDatabase } from '../../_support/postgres.js'
import { freePort } from '../../_support/servers/free-port.js'
import { startCluster } from '../../_support/servers/postgres-server.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { comeBack } from '../../_support/worlds/come-back.js'

async function installation(t: TestContext): Promise<Env> {
  const database = await freshDatabase()
  t.after(database.drop)
  return await freshInstallation(t, { DATABASE_URL: database.url, SECRET_KEY: 'known to the tests alone' })
}

test('with DATABASE_URL, commands and server use PostgreSQL and create no files', async t => {
  const env = await installation(t)
  assert.match((await punctual(env, ['migrate'])).stdout, /up to date/)
  const project = await punctualJson(env, ['project', 'create', 'Mine'])
  const server = await serving(t, env)
  const answer = await fetch(`${server.url}/ping/${project.ping_key}/job?create=1`)
  assert.equal(answer.status, 201)
  const listed = await fetch(`${server.url}/api/v3/checks/`, { headers: { 'X-Api-Key': project.api_key } })
  const { checks } = (await listed.json()) as { checks: { slug: string }[] }
  assert.deepEqual(
    checks.map(({ slug }) => slug),
    ['job'],
  )
  await punctual(env, ['user', 'create', 'alice@example.org'])
  await comeBack(server, env, 'alice@example.org')
  const backup = await punctual(env, ['backup', `${env.DATA_DIR}/copy.db`])
  assert.equal(backup.code, 1)
  assert.match(backup.stderr, /pg_dump/)
  assert.equal(await server.end('SIGTERM'), 0)
})

test('a start waits for an unavailable database, and can be stopped while waiting', async t => {
  const cluster = await startCluster()
  t.after(() => cluster.remove())
  await cluster.stop()
  const env = await freshInstallation(t, {
    DATABASE_URL: cluster.url,
    SECRET_KEY: 'known to the tests alone',
  })
  const stopped = starting(t, env)
  await eventually(() => stopped.output.stderr.includes('the database is not available yet'))
  assert.equal(await stopped.end('SIGTERM'), 0)
  const waits = starting(t, env)
  await eventually(() => waits.output.stderr.includes('the database is not available yet'))
  await cluster.start()
  await eventually(() => waits.output.stderr.includes('"msg":"serving"'))
  assert.equal(await waits.end('SIGTERM'), 0)
})

test('a start waits for locks of others, and is not ready until it has them', async t => {
  const database = await freshDatabase()
  t.after(database.drop)
  const port = String(await freePort())
  const settings = { DATABASE_URL: database.url, SECRET_KEY: 'known to the tests alone', PORT: port }
  const holder = new pg.Client({ connectionString: database.directUrl })
  await holder.connect()
  // Dropping the database cuts it off if the test fails.
  holder.on('error', () => {})
  await holder.query('BEGIN; LOCK TABLE beats')
  const server = starting(t, await freshInstallation(t, settings))
  const status = () =>
    fetch(`http://127.0.0.1:${port}/ready`).then(
      answer => answer.status,
      () => null,
    )
  assert.equal(await eventually(status), 503)
  await eventually(() => /"reason":"[^"]*lock timeout"/.test(server.output.stderr))
  assert.equal(await status(), 503)
  await holder.end()
  await eventually(() => server.output.stderr.includes('"msg":"serving"'))
  await eventually(async () => (await status()) === 200)
  assert.equal(await server.end('SIGTERM'), 0)
})

test('web processes record pings, and a worker sends the alerts', async t => {
  const env = { ...(await installation(t)), INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True' }
  const receiver = await openRecorder(t)
  const project = await punctualJson(env, ['project', 'create', 'Mine'])
  const settings = ['url_down', 'url_up'].flatMap(field => ['--set', `${field}=${receiver.url}/${field}`])
  const channel = ['channel', 'add', '--project', project.uuid, '--kind', 'webhook', '--name', 'Receiver']
  await punctualJson(env, [...channel, ...settings])
  const [first, second, worker] = await Promise.all([
    serving(t, env, ['--role', 'web']),
    serving(t, env, ['--role', 'web']),
    serving(t, env, ['--role', 'worker']),
  ])
  assert.equal(worker.url, 'http://127.0.0.1:')
  const ping = async (server: typeof first, path: string) =>
    (await fetch(`${server.url}/ping/${project.ping_key}/job${path}`)).status
  assert.equal(await ping(first, '?create=1'), 201)
  assert.equal(await ping(second, '/fail'), 200)
  const told = () => receiver.requests.map(({ url }) => url)
  await eventually(() => told().length === 1)
  assert.equal(await ping(first, ''), 200)
  await eventually(() => told().length === 2)
  assert.deepEqual(told(), ['/url_down', '/url_up'])

  await worker.end('SIGKILL')
  assert.equal(await ping(second, '/fail'), 200)
  const successor = await serving(t, env, ['--role', 'worker'])
  await eventually(() => told().length === 3)
  assert.deepEqual(told(), ['/url_down', '/url_up', '/url_down'])
  for (const process of [first, second, successor]) assert.equal(await process.end('SIGTERM'), 0)
})
