import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { beginSession } from '../../../src/actions/people/sign-in/begin-session.js'
import { digestOf } from '../../../src/lib/secrets/secrets.js'
import { Visitor } from '../../_support/browser/visitor.js'
import { ownSession } from '../../_support/own-session.js'
import { openWebWorld, PASSWORD } from '../../_support/worlds/web-world.js'

const world = await openWebWorld({ app: { SECOND_STEP_REQUIRED: true } })
const { alice, bob, charlie, store, clock } = world

/** Sets up an app as the person's second step. */
async function setUp(person: Visitor): Promise<void> {
  const secret = /name="secret" value="([A-Z2-7]{32})"/.exec((await person.get('/accounts/totp/')).text)![1]!
  const code = new TOTP({ secret }).generate({ timestamp: clock.now() })
  assert.equal((await person.post('/accounts/totp/', { secret, code })).status, 200)
}

test('where a second step is required, nothing is done before one is set up', async () => {
  const settings = `/projects/${world.project.uuid}/settings/`
  for (const path of ['/', settings, '/accounts/profile/', '/accounts/password/', '/live/']) {
    assert.equal((await alice.get(path)).location, '/accounts/totp/', path)
  }
  const page = await alice.get('/accounts/totp/')
  assert.match(page.text, /A second step is required here/)
  assert.equal((await alice.post('/projects/add/', { name: 'Early' })).location, '/accounts/totp/')
  assert.equal((await store.people.listProjects(alice.id)).length, 1)
  await setUp(alice)
  assert.equal((await alice.get(settings)).status, 200)
  await alice.post('/accounts/totp/remove/')
  assert.equal((await alice.get(settings)).location, '/accounts/totp/')
})

test('where a second step is required, no page names a project before one is set up', async () => {
  const { uuid, name } = world.charlies
  const pages = ['/accounts/totp/', '/docs/pinging/', '/tv/', '/nothing/', `/projects/${uuid}/nothing/`]
  const naming = async () => {
    const found: string[] = []
    for (const path of pages) {
      const { text } = await charlie.get(path)
      if (text.includes(name) || text.includes(`/projects/${uuid}/checks/`)) found.push(path)
    }
    return found
  }
  assert.deepEqual(await naming(), [])
  const signedIn = await world
    .stranger()
    .post('/accounts/login/', { email: charlie.email, password: PASSWORD })
  assert.deepEqual([signedIn.status, signedIn.location], [303, '/'])
  await setUp(charlie)
  assert.deepEqual(await naming(), pages)
})

test('an account that was handed over is reviewed right after the required second step is set up', async () => {
  const mike = world.mike
  await world.raw(`UPDATE users SET to_review = 1 WHERE id = ${mike.id}`)
  for (const path of ['/accounts/review/', '/']) {
    assert.equal((await mike.get(path)).location, '/accounts/totp/', path)
  }
  await setUp(mike)
  const byScript = new Visitor(world.root, { 'Sec-Fetch-Dest': 'empty' })
  for (const [key, value] of mike.cookies) byScript.cookies.set(key, value)
  assert.equal((await byScript.get('/problems/')).status, 200)
  for (const path of ['/', '/accounts/profile/']) {
    assert.equal((await mike.get(path)).location, '/accounts/review/', path)
  }
  assert.equal((await mike.get('/accounts/review/')).status, 200)
  assert.equal((await mike.get('/accounts/profile/')).status, 200)
})

test('where a second step is required, nobody joins a project before one is set up', async () => {
  const { charlies } = world
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
  await setUp(rita)
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
