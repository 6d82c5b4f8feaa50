import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '../../_support/browser/visitor.js'
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

test('a verified address that no account can have opens none, and the page says so', async () => {
  const { page } = await signInAs({ sub: 'odd', email: 'bob@example.org.', email_verified: true })
  assert.equal(page.status, 401)
  assert.match(page.text, /Example ID provided the address bob@example\.org\., which no account can have/)
})

test('an ID token whose subject is empty, too long or not storable opens nothing', async () => {
  for (const sub of ['', ' ', 'a\0b', 'a\ud800', 'x'.repeat(1_001)]) {
    const { page } = await signInAs({ sub, email: 'bob@example.org', email_verified: true })
    assert.equal(page.status, 401)
    assert.match(page.text, /Example ID did not sign you in/)
  }
  assert.deepEqual(await world.store.people.listIdentities(world.bob.id), [])
})

test('the security log says why a sign-in through the provider failed, without secrets', async () => {
  const { noted } = world
  const reasonOf = async (act: () => Promise<{ page: Page }>) => {
    noted.length = 0
    const { page } = await act()
    const [{ security, reason } = { security: null, reason: '' }, ...others] = noted
    assert.deepEqual(others, [])
    assert.ok(!JSON.stringify(noted).match(/code-\d|eyJ|shared/), JSON.stringify(noted))
    assert.match(page.text, /did not sign you in|has not verified|took too long|cannot be reached/)
    assert.ok(!page.text.includes('JWT') && !page.text.includes('invalid_client'))
    return `${page.status} ${security}: ${reason}`
  }
  const bob = { sub: 'bob-1', email: 'bob@example.org', email_verified: true }
  const refused = '401 opening-refused:'
  provider.foreignKey = true
  assert.match(
    await reasonOf(() => signInAs(bob)),
    new RegExp(`${refused} .*JWT signature verification failed`),
  )
  provider.foreignKey = false
  provider.badNonce = true
  assert.match(await reasonOf(() => signInAs(bob)), new RegExp(`${refused} .*unexpected ID Token "nonce"`))
  provider.badNonce = false
  assert.match(
    await reasonOf(() => signInAs({ ...bob, sub: '' })),
    new RegExp(`${refused} the subject .* is empty`),
  )
  assert.match(
    await reasonOf(() => signInAs({ ...bob, email_verified: false })),
    new RegExp(`${refused} Example ID has not verified your address`),
  )
  const answers = {
    refuses: /^401 opening-refused: .*: invalid_client: The client punctual may not use … or …$/,
    long: /^503 provider-failed: The answer is too long$/,
    away: /^503 provider-failed: Connection failed: /,
  } as const
  for (const [answer, expected] of Object.entries(answers)) {
    provider.token = answer as keyof typeof answers
    assert.match(await reasonOf(() => signInAs(bob)), expected)
  }
  provider.token = 'right'
  const visitor = world.stranger()
  const { location } = await visitor.get('/accounts/openid/')
  const back = new URL((await fetch(location!, { redirect: 'manual' })).headers.get('Location')!)
  back.searchParams.set('state', 'of-another')
  assert.match(
    await reasonOf(async () => ({ page: await visitor.get(back.pathname + back.search) })),
    new RegExp(`${refused} .*unexpected "state"`),
  )
  assert.match(
    await reasonOf(async () => ({ page: await world.stranger().get(back.pathname + back.search) })),
    new RegExp(`${refused} this sign-in took too long`),
  )
})

test('a provider that cannot be reached when a sign-in begins is a line in the security log', async () => {
  const app = { ...world.config, OPENID_ISSUER: 'http://127.0.0.1:1' }
  const away = await openWebWorld({ app })
  const page = await away.stranger().get('/accounts/openid/')
  assert.equal(page.status, 503)
  assert.match(page.text, /Example ID cannot be reached/)
  assert.equal(away.noted.length, 1)
  assert.equal(away.noted[0]!.security, 'provider-failed')
  assert.match(String(away.noted[0]!.reason), /ECONNREFUSED/)
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
