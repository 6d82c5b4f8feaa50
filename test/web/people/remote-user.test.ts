import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConfigError, loadConfig } from '../../../src/config.js'
import { Visitor } from '../../_support/browser/visitor.js'
import { openWorld } from '../../_support/worlds/world.js'

const header = 'x-authenticated-user'
const world = await openWorld({ app: { REMOTE_USER_HEADER: header, TRUSTED_PROXIES: ['127.0.0.1'] } })
const untrusting = await openWorld({ app: { REMOTE_USER_HEADER: header, TRUSTED_PROXIES: ['192.0.2.1'] } })

test('whom the proxy names is signed in, with an account made at the first visit', async () => {
  const alice = new Visitor(world.root, { [header]: 'Alice@Example.org' })
  const page = await alice.get('/accounts/profile/')
  assert.equal(page.status, 200)
  assert.match(page.text, /alice@example\.org/)
  const user = (await world.store.people.findUser('alice@example.org'))!
  // The first of all gets every project that nobody owns.
  assert.equal((await world.store.people.listProjects(user.id)).length, 2)
  assert.equal((await alice.post('/accounts/profile/', { timezone: 'UTC', theme: 'dark' })).status, 303)
  assert.equal((await world.store.people.listSessions(user.id, world.clock.now())).length, 1)
})

test('when the proxy names somebody else in the same browser, the one before is signed out', async () => {
  const browser = new Visitor(world.root, { [header]: 'bob@example.org' })
  await browser.get('/accounts/profile/')
  browser.headers[header] = 'carol@example.org'
  const missing = await browser.get('/nothing/')
  assert.equal(missing.status, 404)
  assert.match(missing.text, /carol@example\.org/)
  assert.ok(!missing.text.includes('bob@example.org'))
  assert.match((await browser.get('/accounts/profile/')).text, /carol@example\.org/)
  const bob = (await world.store.people.findUser('bob@example.org'))!
  assert.deepEqual(await world.store.people.listSessions(bob.id, world.clock.now()), [])
  delete browser.headers[header]
  const nobody = await browser.open('/accounts/profile/')
  assert.match(nobody.text, /it sent no user name/)
})

test('a header that does not come from a trusted proxy names nobody', async () => {
  const page = await new Visitor(untrusting.root, { [header]: 'alice@example.org' }).get('/accounts/profile/')
  assert.equal(page.status, 302)
  assert.equal(await untrusting.store.people.findUser('alice@example.org'), null)
})

test('the first whom the proxy names adopts the default project', async () => {
  const fresh = await openWorld({
    app: { REMOTE_USER_HEADER: header, TRUSTED_PROXIES: ['127.0.0.1'] },
    projects: false,
  })
  const { createFirstProject } = await import('../../../src/actions/people/create-first-project.js')
  const made = await createFirstProject(fresh.store, fresh.clock)
  await new Visitor(fresh.root, { [header]: 'alice@example.org' }).get('/accounts/profile/')
  const user = (await fresh.store.people.findUser('alice@example.org'))!
  assert.equal((await fresh.store.people.projectAccess(user.id, made!.project))?.role, 'owner')
})

test('the start is refused where anybody could name themselves', () => {
  const problems = (env: Record<string, string>) => {
    try {
      loadConfig(env)
      return []
    } catch (error) {
      return (error as ConfigError).problems
    }
  }
  assert.match(
    problems({ REMOTE_USER_HEADER: 'HTTP_X_AUTHENTICATED_USER' }).join(),
    /TRUSTED_PROXIES must be set/,
  )
  const both = { REMOTE_USER_HEADER: 'HTTP_X_AUTHENTICATED_USER', TRUSTED_PROXIES: '10.0.0.0/8' }
  assert.equal(loadConfig(both).REMOTE_USER_HEADER, 'x-authenticated-user')
  assert.match(problems({ OPENID_ISSUER: 'https://id.example.org' }).join(), /OPENID_CLIENT_ID must be set/)
})

test('the owner of an account that others used is led by the proxy’s word to its review', async () => {
  const eve = new Visitor(world.root, { [header]: 'eve@example.org' })
  await eve.get('/accounts/profile/')
  const planted = (await world.store.people.findUser('eve@example.org'))!
  const [project] = await world.store.people.listProjects(planted.id)
  await eve.post(`/projects/${project!.uuid}/keys/add/`, { kind: 'rw' })
  await eve.post('/accounts/email/', { email: 'chief@example.org' })
  // The session ends as soon as the proxy names an address that is not the account's: only the key is left.
  await eve.get('/accounts/profile/')
  const before = world.noted.length
  const chief = new Visitor(world.root, { [header]: 'chief@example.org' })
  const first = await chief.get('/')
  assert.deepEqual([first.status, first.location], [303, '/accounts/review/'])
  assert.equal((await chief.get('/accounts/review/')).status, 200)
  assert.equal((await chief.get('/accounts/profile/')).status, 200)
  const noted = world.noted.slice(before).filter(({ security }) => security === 'account-handed-over')
  assert.equal(noted[0]?.account, 'chief@example.org')
})
