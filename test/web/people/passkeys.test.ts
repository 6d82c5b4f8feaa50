import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '../../../src/config.js'
import { passkeyObstacle } from '../../../src/http/web/people/sign-in/relying-party.js'
import { type Answering, newAuthenticator } from '../../_support/browser/authenticator.js'
import type { Visitor } from '../../_support/browser/visitor.js'
import { openWebWorld, PASSWORD, type Person } from '../../_support/worlds/web-world.js'

const table: [siteRoot: string, sentence: string | null][] = [
  ['https://punctual.example.org', null],
  ['http://localhost:8000', null],
  ['http://127.0.0.1:8000', 'Passkeys need a host name; this site runs at 127.0.0.1.'],
  ['https://[2001:db8::1]', 'Passkeys need a host name; this site runs at [2001:db8::1].'],
  ['http://punctual.lan', 'Passkeys need https; this site runs at http://punctual.lan.'],
]

for (const [siteRoot, sentence] of table) {
  test(`a site at ${siteRoot}: ${sentence ?? 'passkeys can be added'}`, () => {
    const config = { ...loadConfig({ SITE_ROOT: siteRoot }), SECRET_KEY: '' }
    assert.equal(passkeyObstacle(config), sentence)
  })
}

test('where no passkey can be added the account’s page says why', async () => {
  const world = await openWebWorld({ app: { SITE_ROOT: 'http://127.0.0.1:8000' } })
  const { text } = await world.alice.get('/accounts/profile/')
  assert.match(text, /Passkeys need a host name; this site runs at 127\.0\.0\.1\./)
  assert.doesNotMatch(text, /Add a passkey/)
})

const SITE = 'http://localhost:8000'
const world = await openWebWorld({ app: { SITE_ROOT: SITE } })

/** Asks for a challenge and returns it. */
async function challengeFor(visitor: Visitor, path: string): Promise<string> {
  const { status, text } = await visitor.post(path)
  assert.equal(status, 200, text)
  return JSON.parse(text).challenge
}

const toAdd = (visitor: Visitor) => challengeFor(visitor, '/accounts/passkeys/options/')
const toUse = (visitor: Visitor) => challengeFor(visitor, '/accounts/login/passkey/options/')

/** A person with a passkey. */
async function withPasskey(name: string, counter?: number) {
  const person = await world.person(name)
  await person.get('/accounts/passkeys/add/')
  const authenticator = newAuthenticator(SITE)
  const challenge = await toAdd(person)
  const added = await person.post('/accounts/passkeys/add/', {
    name,
    answer: authenticator.create(challenge, { counter }),
  })
  assert.equal(added.status, 200, 'it shows recovery codes')
  return { person, authenticator, challenge }
}

/** A browser in which a person has taken the first step. */
async function halfway(person: Person): Promise<Visitor> {
  const browser = world.stranger()
  const { location } = await browser.post('/accounts/login/', { email: person.email, password: PASSWORD })
  assert.equal(location, '/accounts/login/second/')
  return browser
}

const enter = (browser: Visitor, answer: string) => browser.post('/accounts/login/passkey/', { answer })

test('a passkey is the second step, and each of its answers counts once', async () => {
  const { person, authenticator } = await withPasskey('keyed')
  const [browser, other] = [await halfway(person), await halfway(person)]
  const answer = authenticator.use(await toUse(browser))
  const answers = await Promise.all(Array.from({ length: 20 }, () => enter(browser, answer)))
  assert.equal(answers.filter(({ status }) => status === 303).length, 1)
  assert.equal((await enter(other, answer)).status, 401, 'in another browser')
  assert.equal((await browser.get('/accounts/profile/')).status, 200)
})

const WRONG: [name: string, wrong: Answering][] = [
  ['from another site', { origin: 'https://punctual.example.com' }],
  ['from another port', { origin: 'http://localhost:8001' }],
  ['bound to another domain', { domain: 'example.org' }],
  ['that made a passkey', { type: 'webauthn.create' }],
  ['without a person', { present: false }],
  ['with a number of uses that was reached before', { counter: 1 }],
]

for (const [name, wrong] of WRONG) {
  test(`an answer ${name} opens nothing`, async () => {
    const { person, authenticator } = await withPasskey(`refused-${WRONG.findIndex(([one]) => one === name)}`)
    const browser = await halfway(person)
    assert.equal((await enter(browser, authenticator.use(await toUse(browser), wrong))).status, 401)
    assert.equal((await enter(browser, authenticator.use(await toUse(browser)))).status, 303)
  })
}

test('who asks for many challenges takes up no room, and ends none that another browser waits with', async () => {
  const { person, authenticator } = await withPasskey('besieged')
  const [browser, stranger] = [await halfway(person), await halfway(person)]
  const waiting = await toUse(browser)
  const rows = async () => (await world.raw('SELECT count(*) AS n FROM tokens'))[0]
  const before = await rows()
  for (let n = 0; n < 50; n++) await toUse(stranger)
  for (let n = 0; n < 5; n++)
    await enter(stranger, authenticator.use(await toUse(stranger), { present: false }))
  assert.deepEqual(await rows(), before)
  assert.equal((await enter(browser, authenticator.use(waiting))).status, 303)
})

test('no challenge counts for another person, after five minutes, or if it was made up', async () => {
  const [one, two] = [await withPasskey('first-of-two'), await withPasskey('second-of-two')]
  const [ofOne, ofTwo] = [await halfway(one.person), await halfway(two.person)]
  assert.equal((await enter(ofOne, one.authenticator.use(await toUse(ofTwo)))).status, 401)
  assert.equal((await enter(ofTwo, one.authenticator.use(await toUse(ofTwo)))).status, 401)
  assert.equal((await enter(ofOne, one.authenticator.use(one.challenge))).status, 401, 'it was used')
  assert.equal((await enter(ofOne, one.authenticator.use('bWFkZS11cA'))).status, 401)
  const late = await toUse(ofOne)
  world.clock.advance(301)
  const again = await halfway(one.person)
  assert.equal((await enter(again, one.authenticator.use(late))).status, 401)
})

test('of two answers with the same number of uses, sent at once, one opens', async () => {
  const { person, authenticator } = await withPasskey('copied')
  const browsers = [await halfway(person), await halfway(person)]
  const answers = await Promise.all(
    browsers.map(async browser => authenticator.use(await toUse(browser), { counter: 9 })),
  )
  const entered = await Promise.all(browsers.map((browser, n) => enter(browser, answers[n]!)))
  assert.deepEqual(entered.map(({ status }) => status).sort(), [303, 401])
})

test('a passkey that does not count its uses opens each time', async () => {
  const { person, authenticator } = await withPasskey('uncounted', 0)
  for (let times = 0; times < 2; times++) {
    const browser = await halfway(person)
    assert.equal((await enter(browser, authenticator.use(await toUse(browser), { counter: 0 }))).status, 303)
  }
})

test('a passkey that was removed opens nothing', async () => {
  const { person, authenticator } = await withPasskey('robbed')
  await person.get('/accounts/profile/')
  const [removal] = (await person.get('/accounts/profile/')).text.match(
    /\/accounts\/passkeys\/[\w-]{36}\/remove\//,
  )!
  const thief = await halfway(person)
  const answer = authenticator.use(await toUse(thief))
  assert.equal((await person.post(removal)).status, 303)
  assert.equal((await enter(thief, answer)).status, 401)
  assert.equal((await world.store.people.signInFacts({ id: person.id }))!.recoveryCodes, 0)
  await world.stranger().signIn(person.email, PASSWORD)
})

test('a passkey of one person is not added to another', async () => {
  const { authenticator } = await withPasskey('owner-of-key')
  const other = await world.person('borrower')
  await other.get('/accounts/passkeys/add/')
  const answer = authenticator.create(await toAdd(other))
  assert.equal((await other.post('/accounts/passkeys/add/', { name: 'Mine', answer })).status, 409)
})
