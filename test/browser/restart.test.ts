/** Pages and planned changes while the server is killed and started again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginSession } from '../../src/actions/people/sign-in/begin-session.js'
import { openStore } from '../../src/compose/store.js'
import { loadConfig } from '../../src/config.js'
import { SESSION_COOKIE } from '../../src/http/web/people/session.js'
import { systemClock } from '../../src/lib/clock.js'
import { newPingKey } from '../../src/lib/secrets/secrets.js'
import { newProfile } from '../_support/browser/browser.js'
import { type Env, migratedInstallation, serving } from '../_support/cli.js'
import { eventually } from '../_support/eventually.js'

/** A person with a session, and a project with two checks. */
async function furnish(env: Env) {
  const store = await openStore(loadConfig(env), { create: false })
  const now = systemClock.now()
  const user = await store.people.createUser({
    email: 'alice@example.org',
    passwordHash: '',
    emailProven: true,
    now,
  })
  const visitor = { ua: 'node', address: '127.0.0.1' }
  const token = await beginSession(store, systemClock, { user, method: 'password', visitor })
  const project = await store.projects.create({ name: 'Jobs', ownerId: user.id, pingKey: newPingKey(), now })
  const add = async (name: string) =>
    (await store.checks.create(project.id, { changes: { name }, unique: null, now })).check.uuid
  const [kept, deleted] = [await add('Kept'), await add('Deleted')]
  await store.close()
  return { token, path: `/projects/${project.uuid}/checks/`, kept, deleted }
}

test('a deletion survives a kill; an open page says that it is not connected, and catches up', async t => {
  const env = await migratedInstallation(t)
  const { token, path, kept, deleted } = await furnish(env)
  const server = await serving(t, env)
  const profile = await newProfile()
  await profile.addCookies([{ name: SESSION_COOKIE, value: token, url: server.url }])
  const [list, other] = [await profile.newPage(), await profile.newPage()]
  await list.goto(server.url + path)
  await other.goto(`${server.url}/checks/${deleted}/remove/`)
  await other.getByRole('button', { name: 'Delete check' }).click()
  await other.getByRole('status').getByText('Deleted Deleted.').waitFor()
  await list.getByRole('link', { name: 'Deleted', exact: true }).waitFor({ state: 'detached' })
  assert.equal((await fetch(`${server.url}/ping/${deleted}`)).status, 200)

  await server.end('SIGKILL')
  await list.getByText('Not connected since').waitFor()
  await serving(t, { ...env, PORT: new URL(server.url).port })
  assert.equal((await fetch(`${server.url}/ping/${kept}/fail`)).status, 200)
  await list.locator('tr.is-down').getByText('Kept').waitFor()
  await list.getByText('Not connected since').waitFor({ state: 'detached' })
  await eventually(async () => (await fetch(`${server.url}/ping/${deleted}`)).status === 404)
  await profile.close()
})
