import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { beginSession } from '../../../src/actions/people/sign-in/begin-session.js'
import { digestOf } from '../../../src/lib/secrets/secrets.js'
import { ownSession } from '../../_support/own-session.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld({ app: { SECOND_STEP_REQUIRED: true } })
const { alice, bob, store, clock } = world

test('where a second step is required, nothing is done before one is set up', async () => {
  const settings = `/projects/${world.project.uuid}/settings/`
  for (const path of ['/', settings, '/accounts/profile/', '/accounts/password/', '/live/']) {
    assert.equal((await alice.get(path)).location, '/accounts/totp/', path)
  }
  const page = await alice.get('/accounts/totp/')
  assert.match(page.text, /A second step is required here/)
  assert.equal((await alice.post('/projects/add/', { name: 'Early' })).location, '/accounts/totp/')
  assert.equal((await store.people.listProjects(alice.id)).length, 1)
  const secret = /name="secret" value="([A-Z2-7]{32})"/.exec((await alice.get('/accounts/totp/')).text)![1]!
  const code = new TOTP({ secret }).generate({ timestamp: clock.now() })
  await alice.post('/accounts/totp/', { secret, code })
  assert.equal((await alice.get(settings)).status, 200)
  await alice.post('/accounts/totp/remove/')
  assert.equal((await alice.get(settings)).location, '/accounts/totp/')
})

test('where a second step is required, nobody joins a project before one is set up', async () => {
  const { charlie, charlies } = world
  const digest = digestOf('the invitation')
  const expiresAt = clock.now() + 1_000_000
  const by = await ownSession(store, charlie, clock)
  const maker = { projectId: charlies.id, by, role: 'manager', email: null } as const
  await store.projects.addInvitation({ ...maker, digest, now: clock.now(), expiresAt })
  const path = '/accounts/invitations/the invitation/'.replace(' ', '%20')
  const rita = world.rita
  assert.equal((await rita.get(path)).location, '/accounts/totp/')
  await rita.open('/accounts/totp/')
  assert.equal((await rita.post(path)).location, '/accounts/totp/')
  assert.equal(await store.people.projectAccess(rita.id, charlies.uuid), null)
  assert.equal((await world.stranger().get(path)).status, 200, 'others see it as always')
  const secret = /name="secret" value="([A-Z2-7]{32})"/.exec((await rita.get('/accounts/totp/')).text)![1]!
  await rita.post('/accounts/totp/', {
    secret,
    code: new TOTP({ secret }).generate({ timestamp: clock.now() }),
  })
  assert.equal((await rita.post(path)).location, `/projects/${charlies.uuid}/checks/`)
  assert.equal((await store.people.projectAccess(rita.id, charlies.uuid))!.role, 'manager')
})

test('those whom a provider signs in are asked for none', async () => {
  const user = (await store.people.findUser(bob.email))!
  const visitor = { ua: 'node', address: '127.0.0.1' }
  const token = await beginSession(store, clock, { user, method: 'openid', visitor })
  bob.cookies.set('punctual_session', token)
  assert.equal((await bob.get('/accounts/profile/')).status, 200)
})
