import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isApiToken } from '../../../src/lib/secrets/api-token.js'
import { installationWithProject } from '../../_support/cli.js'
import { punctual, punctualJson } from '../../_support/warm-cli.js'

test('an API token of a project is created with scopes, and printed once', async t => {
  const { env, uuid } = await installationWithProject(t)
  const create = ['token', 'create', '--project', uuid, '--name', 'Terraform']
  const { stdout } = await punctual(env, [...create, '--scopes', 'checks:read', 'checks:write'])
  assert.ok(isApiToken(stdout.trim()), stdout)
  const made = await punctualJson(env, [...create, '--scopes', 'log:read', '--days', '30'])
  assert.ok(isApiToken(made.token))
  assert.match(made.uuid, /^[0-9a-f-]{36}$/)
})

test('a token without a scope, or with an unknown one, is refused', async t => {
  const { env, uuid } = await installationWithProject(t)
  const create = ['token', 'create', '--project', uuid, '--name', 'Terraform']
  assert.match((await punctual(env, create)).stderr, /--scopes <scopes...>/)
  assert.match(
    (await punctual(env, [...create, '--scopes', 'checks:admire'])).stderr,
    /checks:admire.*invalid/,
  )
  const nameless = await punctual(env, [
    'token',
    'create',
    '--project',
    uuid,
    '--name',
    ' ',
    '--scopes',
    'log:read',
  ])
  assert.equal(nameless.stderr, 'punctual: enter a name that says what uses the token\n')
})

test('tokens are listed without their secrets, and revoked by UUID', async t => {
  const { env, uuid } = await installationWithProject(t)
  const of = ['--project', uuid]
  const made = await punctualJson(env, ['token', 'create', ...of, '--name', 'CI', '--scopes', 'log:read'])
  const [listed, ...others] = await punctualJson(env, ['token', 'list', ...of])
  assert.equal(others.length, 0)
  assert.equal(listed.hint, made.token.slice(0, listed.hint.length))
  assert.deepEqual(
    [listed.uuid, listed.name, listed.scopes, listed.used, listed.expires],
    [made.uuid, 'CI', ['log:read'], null, null],
  )
  const table = (await punctual(env, ['token', 'list', ...of])).stdout
  assert.match(table, /CI.*log:read.*never/)
  assert.ok(!table.includes(made.token))
  const revoke = ['token', 'revoke', ...of, '--token', made.uuid]
  assert.equal((await punctual(env, revoke)).stdout, 'Revoked the token.\n')
  assert.equal((await punctual(env, ['token', 'list', ...of])).stdout, 'The project has no API tokens.\n')
  assert.equal((await punctual(env, revoke)).stderr, 'punctual: the project has no such token\n')
})
