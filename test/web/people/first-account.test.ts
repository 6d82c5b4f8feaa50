import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFirstProject } from '../../../src/actions/people/create-first-project.js'
import { offerFirstAccount } from '../../../src/actions/people/offer-first-account.js'
import { Visitor } from '../../_support/browser/visitor.js'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld({ projects: false })
const { store, clock, root } = world
const fields = { email: 'Alice@example.org', password: 'correct horse', timezone: 'Europe/Riga' }

test('before there is an account nobody signs in or up, and the sign-in page says where the link is', async () => {
  const passerBy = new Visitor(root)
  const signIn = await passerBy.get('/accounts/login/')
  assert.match(signIn.text, /There is no account yet/)
  assert.equal((await passerBy.get('/accounts/signup/')).status, 403)
  assert.equal((await passerBy.post('/accounts/signup/', fields)).status, 403)
  assert.equal((await passerBy.get('/accounts/first/guessed/')).status, 410)
})

test('the printed link makes the first account, which adopts every project that is there and sees the first check', async () => {
  const made = await createFirstProject(store, clock)
  const pingKey = 'a-ping-key-of-the-command-line'
  const home = await store.projects.create({ name: 'Home', ownerId: null, pingKey, now: clock.now() })
  const older = (await offerFirstAccount(store, clock))!.path
  const { path } = (await offerFirstAccount(store, clock))!
  const alice = new Visitor(root)
  assert.equal((await alice.get(older)).status, 410, 'a newer link replaces the older')
  assert.match((await alice.get(path)).text, /Create the first account/)
  const short = await alice.post(path, { ...fields, password: 'short' })
  assert.equal(short.status, 400)
  assert.match(short.text, /at least 8 characters/)

  const page = await alice.post(path, fields)
  assert.equal(page.status, 303)
  assert.equal(page.location, `/checks/${made!.check}/details/`)
  const user = (await store.people.findUser('alice@example.org'))!
  assert.deepEqual(
    (await store.people.listProjects(user.id)).map(({ uuid, role }) => ({ uuid, role })),
    [
      { uuid: made!.project, role: 'owner' },
      { uuid: home.uuid, role: 'owner' },
    ],
  )
  const settings = await alice.get(`/projects/${made!.project}/settings/`)
  assert.equal(settings.status, 200, 'she is signed in')
})

test('afterwards neither an old nor a new link makes another first account', async () => {
  assert.equal(await offerFirstAccount(store, clock), null)
  const token = 'a token that was made while two links were open'
  const { digestOf } = await import('../../../src/lib/secrets/secrets.js')
  await store.people.addToken({
    digest: digestOf(token),
    purpose: 'first-account',
    userId: null,
    email: null,
    expiresAt: clock.now() + 1000,
  })
  const late = new Visitor(root)
  const page = await late.post(`/accounts/first/${encodeURIComponent(token)}/`, {
    ...fields,
    email: 'm@x.org',
  })
  assert.equal(page.status, 410)
})

test('from then on registration decides: anybody signs up and gets a project with a check', async () => {
  const bob = new Visitor(root)
  const page = await bob.post('/accounts/signup/', {
    ...fields,
    email: 'bob@example.org',
    timezone: 'Nowhere',
  })
  assert.match(page.location!, /^\/checks\/[0-9a-f-]{36}\/details\/$/)
  const again = await new Visitor(root).post('/accounts/signup/', { ...fields, email: 'bob@example.org' })
  assert.equal(again.status, 409)
  assert.match(again.text, /There is a user with the address bob@example.org already/)
})
