import assert from 'node:assert/strict'
import { test } from 'node:test'
import { installationWithProject, migratedInstallation } from '../../_support/cli.js'
import { punctual, punctualJson } from '../../_support/warm-cli.js'

test('keys are created, listed by their first characters, and revoked', async t => {
  const { env, uuid, apiKey, pingKey } = await installationWithProject(t)
  const project = ['--project', uuid]

  const { stdout } = await punctual(env, ['key', 'create', ...project, '--kind', 'rw'])
  const second = stdout.trim()
  assert.match(second, /^hcw_[A-Za-z0-9]{28}$/)

  const listed = await punctualJson(env, ['key', 'list', ...project])
  assert.deepEqual(
    listed
      .map((key: { kind: string; key: string }) => [key.kind, key.key])
      .filter(([kind]: string[]) => kind !== 'ro'),
    [
      ['rw', apiKey.slice(0, 8)],
      ['rw', second.slice(0, 8)],
      ['ping', pingKey],
    ],
  )

  const one = ['key', 'revoke', ...project, '--kind', 'rw', '--hint', second.slice(0, 8)]
  assert.equal((await punctual(env, one)).stdout, 'Revoked 1 key.\n')
  assert.deepEqual(await punctualJson(env, ['key', 'revoke', ...project, '--kind', 'rw']), { revoked: 1 })
  const gone = await punctual(env, ['key', 'revoke', ...project, '--kind', 'rw'])
  assert.equal(gone.stderr, 'punctual: the project has no such key\n')
})

test('a project has one ping key, which must be revoked before it is replaced', async t => {
  const { env, uuid, pingKey } = await installationWithProject(t)
  const create = ['key', 'create', '--project', uuid, '--kind', 'ping']
  const refused = await punctual(env, create)
  assert.equal(refused.stderr, 'punctual: the project has a ping key already: revoke it first\n')
  await punctualJson(env, ['key', 'revoke', '--project', uuid, '--kind', 'ping'])
  const made = await punctualJson(env, create)
  assert.match(made.key, /^[a-z0-9]{22}$/)
  assert.notEqual(made.key, pingKey)
})

test('an unknown project and an unknown kind are refused', async t => {
  const env = await migratedInstallation(t)
  const project = '00000000-0000-4000-8000-000000000000'
  const unknown = await punctual(env, ['key', 'list', '--project', project])
  assert.equal(unknown.stderr, `punctual: there is no project ${project}: see \`punctual project list\`\n`)
  const kind = await punctual(env, ['key', 'create', '--project', project, '--kind', 'xx'])
  assert.equal(kind.code, 2)
  assert.match(kind.stderr, /^punctual: option '--kind <kind>' argument 'xx' is invalid\..*rw, ro, ping/)
})

test('a project is named by its name, unless several have it', async t => {
  const { env, uuid } = await installationWithProject(t)
  const list = ['key', 'list', '--project', 'Backups']
  const keys = await punctualJson(env, list)
  assert.deepEqual(keys, await punctualJson(env, ['key', 'list', '--project', uuid]))
  assert.equal(keys[0].hint, keys[0].key)
  await punctualJson(env, ['project', 'create', 'Backups'])
  assert.match(
    (await punctual(env, list)).stderr,
    new RegExp(`several projects are called Backups.*${uuid}`, 's'),
  )
  assert.match((await punctual(env, ['project', 'create', ' '])).stderr, /give the project a name/)
})
