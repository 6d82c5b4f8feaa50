import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openProvider, type Person, signInAt } from '../../_support/servers/openid-provider.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const provider = await openProvider(() => Date.now())
const world = await openWebWorld({
  app: {
    OPENID_ISSUER: provider.issuer,
    OPENID_CLIENT_ID: 'punctual',
    OPENID_CLIENT_SECRET: 'shared',
    OPENID_NAME: 'Example ID',
  },
})

/** Goes to the provider and comes back; returns the visitor, and the page that they come back to. */
async function signInAs(person: Person, next = '') {
  const visitor = world.stranger()
  return { visitor, ...(await signInAt(provider, visitor, person, next)) }
}

test('the sign-in page offers the provider', async () => {
  assert.match((await world.stranger().get('/accounts/login/')).text, /Sign in with Example ID/)
})

test('a confirmed address opens the account that has it, now and after the address has changed', async () => {
  const person = { sub: 'alice-1', email: 'Alice@example.org', email_verified: true }
  const first = await signInAs(person, '/accounts/profile/')
  assert.equal(first.page.location, '/accounts/profile/')
  assert.match((await first.visitor.get('/accounts/profile/')).text, /alice@example\.org/)
  const later = await signInAs({ ...person, email: 'another@example.org' })
  assert.match((await later.visitor.get('/accounts/profile/')).text, /alice@example\.org/)
})

test('an address that the provider has not verified opens no account and makes none', async () => {
  for (const [n, claims] of [{}, { email_verified: false }].entries()) {
    for (const email of ['bob@example.org', 'nobody@example.org']) {
      const { page } = await signInAs({ sub: `mallory-${n}`, email, ...claims })
      assert.equal(page.status, 401)
      assert.match(page.text, /Example ID has not verified your address/)
    }
  }
  assert.equal(await world.store.people.findUser('nobody@example.org'), null)
})

test('an ID token whose subject is empty, too long or not storable opens nothing', async () => {
  for (const sub of ['', ' ', 'a\0b', 'a\ud800', 'x'.repeat(1_001)]) {
    const { page } = await signInAs({ sub, email: 'bob@example.org', email_verified: true })
    assert.equal(page.status, 401)
    assert.match(page.text, /Example ID did not sign you in/)
  }
  assert.deepEqual(await world.store.people.listIdentities(world.bob.id), [])
})

test('an ID token that another key has signed is refused', async () => {
  provider.foreignKey = true
  const { page } = await signInAs({ sub: 'bob-1', email: 'bob@example.org', email_verified: true })
  provider.foreignKey = false
  assert.equal(page.status, 401)
  assert.match(page.text, /Example ID did not sign you in/)
})

test('somebody new gets an account', async () => {
  const { visitor } = await signInAs({ sub: 'dora-1', email: 'dora@example.org', email_verified: true })
  assert.match((await visitor.get('/accounts/profile/')).text, /dora@example\.org/)
})

test('two first sign-ins of one person at once both enter', async () => {
  const person = { sub: 'twice', email: 'twice@example.org', email_verified: true }
  const come = await Promise.all([signInAs(person), signInAs(person)])
  assert.deepEqual(
    come.map(({ page }) => page.status),
    [303, 303],
  )
})

test('an account and its first channel are made together or not at all', async () => {
  const user = { email: 'whole@example.org', passwordHash: null, emailProven: true, now: 1 }
  const project = { name: 'Whole', pingKey: null, now: 1 }
  const channel = { kind: 'email', name: '', settings: {}, members: ['11111111-1111-4111-8111-111111111111'] }
  const starter = { project, check: { name: 'Check', slug: 'check' }, channel }
  await assert.rejects(world.store.people.createAccount(user, starter))
  assert.equal(await world.store.people.findUser(user.email), null)
})

test('who comes back twice, in another browser, or with another’s answer is not signed in', async () => {
  const { visitor, query } = await signInAs({ sub: 'alice-1', email: 'alice@example.org' })
  const again = await visitor.get(`/accounts/openid/callback/${query}`)
  assert.equal(again.status, 401)
  const other = await world.stranger().get(`/accounts/openid/callback/${query}`)
  assert.equal(other.status, 401)
  assert.match(other.text, /start again/)
  provider.badNonce = true
  assert.equal((await signInAs({ sub: 'alice-1', email: 'alice@example.org' })).page.status, 401)
  provider.badNonce = false
})

test('where sign-up is closed, somebody new is told so', async () => {
  const closed = await openWebWorld({ app: { ...world.config, REGISTRATION_OPEN: false } })
  provider.person = { sub: 'erik', email: 'erik@example.org', email_verified: true }
  const visitor = closed.stranger()
  const away = await visitor.get('/accounts/openid/')
  const back = new URL((await fetch(away.location!, { redirect: 'manual' })).headers.get('Location')!)
  const page = await visitor.get(back.pathname + back.search)
  assert.equal(page.status, 401)
  assert.match(page.text, /sign-up is closed/)
})
