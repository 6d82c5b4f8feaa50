import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshInstallation, migratedInstallation } from '../../_support/cli.js'
import { punctual, punctualJson } from '../../_support/warm-cli.js'

test('project create prints the project and all its keys as JSON, once', async t => {
  const env = await migratedInstallation(t)
  const { code, stdout } = await punctual(env, ['project', 'create', 'Backups'])
  assert.equal(code, 0)
  const made = JSON.parse(stdout)
  assert.deepEqual(Object.keys(made), [
    'uuid',
    'name',
    'api_key',
    'api_key_readonly',
    'ping_key',
    'badge_key',
  ])
  assert.equal(made.name, 'Backups')
  assert.match(made.uuid, /^[0-9a-f]{8}-/)
  assert.match(made.api_key, /^hcw_[A-Za-z0-9]{28}$/)
  assert.match(made.api_key_readonly, /^hcr_[A-Za-z0-9]{28}$/)
  assert.match(made.ping_key, /^[a-z0-9]{22}$/)
})

test('project list shows each project with its owner', async t => {
  const env = await migratedInstallation(t)
  assert.equal((await punctual(env, ['project', 'list'])).stdout, 'There are no projects.\n')
  await punctualJson(env, ['user', 'create', 'Alice@Example.org'])
  const owned = await punctualJson(env, ['project', 'create', 'Backups', '--owner', 'alice@example.org'])
  const own = await punctualJson(env, ['project', 'create', 'Own'])

  const [first, second] = await punctualJson(env, ['project', 'list'])
  assert.deepEqual(
    { ...first, created: '' },
    {
      uuid: owned.uuid,
      name: 'Backups',
      owner: 'alice@example.org',
      checks: 0,
      created: '',
    },
  )
  assert.equal(second.uuid, own.uuid)
  assert.equal(second.owner, null)
  const table = (await punctual(env, ['project', 'list'])).stdout.split('\n')
  assert.match(table[0]!, /^UUID +NAME +OWNER +CHECKS +CREATED$/)
  assert.match(table[1]!, /^[0-9a-f-]{36} {2}Backups {2}alice@example\.org {2}0 +\S+Z$/)
})

test('project create refuses an owner who does not exist', async t => {
  const env = await migratedInstallation(t)
  const { code, stderr } = await punctual(env, ['project', 'create', 'X', '--owner', 'bob@example.org'])
  assert.equal(code, 1)
  assert.equal(stderr, 'punctual: there is no user bob@example.org\n')
})

test('commands do not create the database, and say how to', async t => {
  const env = await freshInstallation(t)
  const { code, stderr } = await punctual(env, ['project', 'list'])
  assert.equal(code, 1)
  assert.match(stderr, /^punctual: there is no database at \S+: make it with `serve` or `migrate`\n$/)
})
