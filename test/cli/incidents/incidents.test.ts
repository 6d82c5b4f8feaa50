/** `punctual incidents`, `punctual ack` and `punctual explain`. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openStore } from '../../../src/compose/store.js'
import { loadConfig } from '../../../src/config.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { installationWithProject, serving } from '../../_support/cli.js'
import { punctual, punctualJson } from '../../_support/warm-cli.js'

/** An installation with a check `Nightly backup` that is down, and one that is up. */
async function withDownCheck(t: TestContext) {
  const { env, uuid: project, pingKey } = await installationWithProject(t)
  const store = await openStore(loadConfig(env), { create: false })
  const { id } = (await store.projects.find(project))!
  const create = (name: string) =>
    store.checks.create(id, {
      changes: { name, slug: name.toLowerCase().replace(' ', '-') },
      unique: null,
      now: 1,
    })
  const { check } = await create('Nightly backup')
  await create('Twin')
  await create('Twin')
  const now = Date.now()
  await store.pings.record([arrivedPing({ uuid: check.uuid }, now, { action: 'fail' })])
  await store.close()
  return { env, project, pingKey, uuid: check.uuid }
}

test('incidents are listed, acknowledged, and shown as that', async t => {
  const { env, project, uuid } = await withDownCheck(t)
  const [incident, ...others] = await punctualJson(env, ['incidents', '--project', project, '--json'])
  assert.deepEqual(others, [])
  assert.deepEqual([incident.check.uuid, incident.cause, incident.acknowledged], [uuid, 'failed', null])
  const id = String(incident.id)
  const { stdout } = await punctual(env, ['incidents'])
  assert.match(stdout, /^ID +CHECK +DOWN SINCE +CAUSE +STATE\n\d+ +Nightly backup +\S+ +failed +open\n$/)
  const until = '2999-01-01T00:00Z'
  const far = await punctual(env, ['ack', id, '--until', until])
  assert.deepEqual([far.code, far.stderr], [1, 'punctual: more than 366 days away\n'])
  const acked = await punctual(env, ['ack', id, '--note', 'On it'])
  assert.deepEqual([acked.code, acked.stdout], [0, `Acknowledged incident ${id}.\n`])
  assert.match(
    (await punctual(env, ['incidents', '--all'])).stdout,
    /failed +acknowledged by command line\n$/,
  )
  const [after] = await punctualJson(env, ['incidents', '--json'])
  assert.equal(after.acknowledged.note, 'On it')
})

test('an incident that does not exist, or an instant that is none, is refused', async t => {
  const { env } = await withDownCheck(t)
  const missing = await punctual(env, ['ack', '999'])
  assert.deepEqual([missing.code, missing.stderr], [1, 'punctual: there is no incident 999\n'])
  for (const args of [
    ['ack', 'x'],
    ['ack', '1', '--until', 'tomorrow'],
  ])
    assert.equal((await punctual(env, args)).code, 2)
})

test('a check is explained by its UUID, slug or name', async t => {
  const { env, uuid } = await withDownCheck(t)
  for (const named of [uuid, 'nightly-backup', 'Nightly backup']) {
    const { code, stdout } = await punctual(env, ['explain', named])
    assert.equal(code, 0)
    assert.match(stdout, /^Nightly backup is down\. Incident \d+: down since \S+ \(failed\)\.\n/)
  }
  const explained = await punctualJson(env, ['explain', uuid, '--json'])
  assert.equal(explained.incident.check.uuid, uuid)
  assert.deepEqual(explained.channels, [])
  assert.match((await punctual(env, ['explain', 'nobody'])).stderr, /^punctual: there is no check nobody\n/)
  assert.match((await punctual(env, ['explain', 'Twin'])).stderr, /several checks are called Twin/)
})

test('with a server, incidents are those of its projects, and are acknowledged as the token', async t => {
  const { env, project, uuid } = await withDownCheck(t)
  const { url } = await serving(t, { ...env, PORT: '0' })
  const scopes = ['checks:read', 'incidents:write', 'pings:read']
  const named = ['token', 'create', '--project', project, '--name', 'Laptop', '--scopes', ...scopes]
  const { token } = await punctualJson(env, named)
  const user = { HOME: env.DATA_DIR!, PUNCTUAL_URL: url, PUNCTUAL_TOKEN: token }
  const [incident] = await punctualJson(user, ['incidents'])
  assert.equal(incident.check.uuid, uuid)
  const local = (await punctual(env, ['explain', 'nightly-backup'])).stdout
  assert.equal((await punctual(user, ['explain', 'nightly-backup'])).stdout, local)
  const acked = await punctual(user, ['ack', String(incident.id), '--note', 'On it'])
  assert.deepEqual([acked.code, acked.stdout], [0, `Acknowledged incident ${incident.id}.\n`])
  assert.match((await punctual(user, ['incidents'])).stdout, /failed +acknowledged by API token Laptop\n$/)
  assert.match((await punctual(user, ['ack', '999'])).stderr, /there is no incident 999/)
  const both = { ...env, ...user }
  assert.equal(
    (await punctualJson({ ...both, PUNCTUAL_URL: 'http://127.0.0.1:1' }, ['incidents', '--local'])).length,
    1,
  )
})
