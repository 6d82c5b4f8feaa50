/** What the operator does to accounts by command, while the server runs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Visitor } from '../../_support/browser/visitor.js'
import { migratedInstallation, serving } from '../../_support/cli.js'
import { punctual, punctualJson } from '../../_support/warm-cli.js'

const email = 'alice@example.org'
const password = 'correct horse'

test('the operator ends sessions, disables a user and enables the user again', async t => {
  const env = await migratedInstallation(t)
  await punctual(env, ['user', 'create', email, '--password-stdin'], `${password}\n`)
  const browser = new Visitor((await serving(t, env)).url)
  await browser.signIn(email, password)
  assert.equal((await browser.get('/accounts/profile/')).status, 200)
  const out = await punctual(env, ['user', 'sign-out', email])
  assert.equal(out.stdout, `Ended 1 session of ${email}.\n`)
  assert.equal((await browser.get('/accounts/profile/')).status, 302)

  await browser.open('/accounts/login/')
  await browser.signIn(email, password)
  assert.deepEqual(await punctualJson(env, ['user', 'disable', email]), { disabled: true })
  assert.equal((await browser.get('/accounts/profile/')).status, 302)
  await browser.open('/accounts/login/')
  const refused = await browser.post('/accounts/login/', { email, password })
  assert.equal(refused.status, 401)
  assert.match(refused.text, /This account is disabled: ask the operator/)
  const wrong = await browser.post('/accounts/login/', { email, password: 'wrong' })
  assert.match(wrong.text, /The address or the password is wrong/)
  assert.match((await punctual(env, ['user', 'list'])).stdout, /disabled/)

  await punctual(env, ['user', 'enable', email])
  await browser.open('/accounts/login/')
  await browser.signIn(email, password)
})

test('a disabled user gets no sign-in link and no projects', async t => {
  const env = await migratedInstallation(t)
  for (const name of ['alice', 'bob']) await punctual(env, ['user', 'create', `${name}@example.org`])
  await punctual(env, ['user', 'disable', 'bob@example.org'])
  const link = await punctual(env, ['user', 'sign-in-link', 'bob@example.org'])
  assert.equal(link.code, 1)
  assert.match(
    link.stderr,
    /bob@example\.org is disabled, so no link signs in: `user enable` lets them in again/,
  )
  assert.doesNotMatch(link.stdout, /accounts\/link/)
  const given = await punctual(env, ['user', 'delete', email, '--projects-to', 'bob@example.org'])
  assert.equal(given.code, 1)
  assert.match(given.stderr, /the new owner is disabled/)
  assert.equal((await punctualJson(env, ['user', 'list'])).length, 2, 'nothing was deleted')
})

test('the operator deletes a user and chooses what happens to the projects', async t => {
  const env = await migratedInstallation(t)
  for (const name of ['alice', 'bob']) await punctual(env, ['user', 'create', `${name}@example.org`])
  for (const name of ['One', 'Two']) await punctualJson(env, ['project', 'create', name, '--owner', email])
  const unsaid = await punctual(env, ['user', 'delete', email])
  assert.equal(unsaid.code, 1)
  assert.match(unsaid.stderr, /owns \d+ projects: transfer them to another user with --projects-to/)
  const given = await punctual(env, ['user', 'delete', email, '--projects-to', 'bob@example.org'])
  assert.match(
    given.stdout,
    /^Deleted the user alice@example\.org\. \d+ projects given to bob@example\.org\.\n$/,
  )
  const projects = await punctualJson(env, ['project', 'list'])
  assert.deepEqual(
    new Set(projects.map(({ owner }: { owner: string }) => owner)),
    new Set(['bob@example.org']),
  )
  await punctual(env, ['user', 'delete', 'bob@example.org', '--with-projects'])
  assert.deepEqual(await punctualJson(env, ['project', 'list']), [])
  assert.deepEqual(await punctualJson(env, ['user', 'list']), [])
})
