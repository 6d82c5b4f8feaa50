import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isApiToken } from '../../../src/lib/secrets/api-token.js'
import { installationWithProject, punctual, punctualJson } from '../../_support/cli.js'

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
