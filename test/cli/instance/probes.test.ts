/** What the built program tells machines about itself. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { packageRoot } from '../../../src/lib/package-root.js'
import { installationWithProject, punctual, serving } from '../../_support/cli.js'
import { eventually } from '../../_support/eventually.js'
import { freePort } from '../../_support/servers/free-port.js'
import { openRecorder } from '../../_support/servers/recorder.js'

const status = async (url: string) => (await fetch(url)).status

test('Prometheus reads metrics of pings, alerts and the process', async t => {
  const { env, uuid, pingKey } = await installationWithProject(t, {
    METRICS_KEY: 'open sesame',
    INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True',
  })
  const receiver = await openRecorder(t)
  const channel = ['channel', 'add', '--project', uuid, '--kind', 'webhook', '--name', 'Chat']
  assert.equal((await punctual(env, [...channel, '--set', `url_down=${receiver.url}`])).code, 0)
  const server = await serving(t, env)
  assert.equal(await status(`${server.url}/metrics`), 401)
  assert.equal(await status(`${server.url}/ping/${pingKey}/job?create=1`), 201)
  assert.equal(await status(`${server.url}/ping/${pingKey}/job/fail`), 200)
  const told = await eventually(async () => {
    const answer = await fetch(`${server.url}/metrics`, { headers: { Authorization: 'Bearer open sesame' } })
    const text = await answer.text()
    // The counter is this process's own, and is ahead of what was read from the database.
    return text.includes('outcome="sent"') && /^punctual_deliveries_waiting 0$/m.test(text) ? text : null
  })
  assert.match(told, /^punctual_pings_total 2$/m)
  assert.match(told, /^punctual_ping_batch_size_count [12]$/m)
  assert.match(told, /^punctual_commit_seconds_bucket\{le="\+Inf"\} [12]$/m)
  assert.match(told, /^punctual_deliveries_total\{kind="webhook",outcome="sent"\} 1$/m)
  assert.match(told, /^punctual_alert_lag_seconds_count 1$/m)
  assert.match(told, /^punctual_database_up 1$/m)
  assert.match(told, /^punctual_outages 0$/m)
  assert.match(told, /^nodejs_eventloop_lag_max_seconds [\d.e-]+$/m)
  assert.match(told, /^process_resident_memory_bytes \d+$/m)
  // Every line is a comment or a sample.
  for (const line of told.trimEnd().split('\n'))
    assert.match(line, /^(# (HELP|TYPE) |[a-z_0-9]+(\{.*\})? [\d.e+-]+$)/)
})

test('a process that is stopping reports it, and answers requests until it has stopped', async t => {
  const { env, pingKey } = await installationWithProject(t, { STOP_DELAY: '120' })
  const server = await serving(t, env)
  assert.equal(await status(`${server.url}/ready`), 200)
  assert.equal(await status(`${server.url}/metrics`), 404)
  void server.end('SIGTERM')
  await eventually(async () => ((await status(`${server.url}/ready`)) === 503 ? true : null))
  assert.equal(await status(`${server.url}/ping/${pingKey}/job?create=1`), 201)
})

test('a worker answers only on METRICS_PORT, and reports when the port is in use', async t => {
  const { env } = await installationWithProject(t, { METRICS_PORT: String(await freePort()) })
  const inside = `http://127.0.0.1:${env.METRICS_PORT}`
  await serving(t, env, ['--role', 'worker'])
  assert.equal(await status(`${inside}/ready`), 200)
  assert.equal(await status(`${inside}/metrics`), 200)
  assert.equal(await status(`${inside}/api/v3/status/`), 404)
  const { code, stderr } = await punctual(env, ['serve', '--role', 'worker'])
  assert.equal(code, 1)
  assert.match(stderr, new RegExp(`port ${env.METRICS_PORT} is in use: set METRICS_PORT to another one`))
})

for (const role of ['web', 'worker']) {
  test(`the image's health check passes for the role ${role}, and fails where nothing listens`, async t => {
    const text = readFileSync(join(packageRoot, 'deploy/Dockerfile'), 'utf8')
    const [, , script] = JSON.parse(/CMD (\["node".*\])/.exec(text)![1]!)
    const { env } = await installationWithProject(t, { METRICS_PORT: String(await freePort()) })
    const check = () => spawnSync(process.execPath, ['-e', script], { env }).status
    assert.equal(check(), 1)
    await serving(t, env, ['--role', role])
    assert.equal(check(), 0)
  })
}
