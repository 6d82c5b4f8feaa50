import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountKey, limitAttempts } from '../../../src/actions/people/sign-in/limit-attempts.js'
import { openWebWorld, PASSWORD } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, clock } = world

test('the right password signs in and leads to the one project', async () => {
  const browser = world.stranger()
  const page = await browser.post('/accounts/login/', { email: ' Alice@Example.org ', password: PASSWORD })
  assert.equal(page.status, 303)
  assert.equal(page.location, `/projects/${world.project.uuid}/checks/`)
})

test('a wrong password and an unknown address are answered alike', async () => {
  const browser = world.stranger()
  const wrong = await browser.post('/accounts/login/', { email: alice.email, password: 'wrong horse' })
  const unknown = await browser.post('/accounts/login/', { email: 'nobody@example.org', password: PASSWORD })
  assert.equal(wrong.status, 401)
  assert.equal(unknown.status, 401)
  assert.match(wrong.text, /The address or the password is wrong\./)
  assert.match(wrong.text, /value="alice@example.org"/, 'what was typed stays')
  assert.match(unknown.text, /The address or the password is wrong\./)
})

test('an international domain is the same however it is written', async () => {
  const [typed, ascii] = ['zoe@b\u00fccher.example', 'zoe@xn--bcher-kva.example']
  await world.stranger().post('/accounts/signup/', { email: typed, password: PASSWORD })
  await world.stranger().signIn(ascii, PASSWORD)
  await world.stranger().signIn(typed, PASSWORD)
  const again = await world.stranger().post('/accounts/signup/', { email: ascii, password: PASSWORD })
  assert.equal(again.status, 409)
})

test('the page that was wanted comes after signing in', async () => {
  const browser = world.stranger()
  const wanted = await browser.get('/accounts/profile/')
  assert.equal(wanted.status, 302)
  assert.equal(wanted.location, '/accounts/login/?next=%2Faccounts%2Fprofile%2F')
  const page = await browser.post('/accounts/login/', {
    email: alice.email,
    password: PASSWORD,
    next: '/accounts/profile/',
  })
  assert.equal(page.location, '/accounts/profile/')
})

test('nobody is led to another site', async () => {
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', '/\t/evil.example']) {
    const page = await world
      .stranger()
      .post('/accounts/login/', { email: alice.email, password: PASSWORD, next })
    assert.equal(page.location, `/projects/${world.project.uuid}/checks/`, next)
  }
})

test('the cookie is out of reach of scripts and other sites, and the database knows only its digest', async () => {
  const browser = world.stranger()
  const page = await browser.post('/accounts/login/', { email: alice.email, password: PASSWORD })
  const cookie = page.headers.getSetCookie().find(text => text.startsWith('punctual_session='))!
  assert.match(cookie, /HttpOnly/)
  assert.match(cookie, /SameSite=Lax/)
  assert.doesNotMatch(cookie, /Secure/)
  const token = browser.cookies.get('punctual_session')!
  assert.equal(await world.store.people.findSession(token, clock.now()), null)
})

test('after signing out the old cookie opens nothing', async () => {
  const browser = world.stranger()
  await browser.signIn(alice.email, PASSWORD)
  const token = browser.cookies.get('punctual_session')!
  assert.equal((await browser.get('/accounts/login/')).status, 303)
  await browser.open('/accounts/profile/')
  assert.equal((await browser.post('/accounts/logout/')).location, '/accounts/login/')
  const thief = world.stranger({})
  thief.cookies.set('punctual_session', token)
  assert.equal((await thief.get('/accounts/login/')).status, 200)
})

test('a form without a token, with another visitor’s, or from another site changes nothing', async () => {
  const fields = { email: alice.email, password: PASSWORD }
  const browser = world.stranger()
  const bare = await browser.post('/accounts/login/', { ...fields, csrf: '' })
  assert.equal(bare.status, 403)
  const other = world.stranger()
  const token = /name="csrf" value="([^"]+)"/.exec((await other.get('/accounts/login/')).text)![1]!
  assert.equal((await browser.post('/accounts/login/', { ...fields, csrf: token })).status, 403)
  const cross = await browser.post('/accounts/login/', fields, { 'Sec-Fetch-Site': 'cross-site' })
  assert.equal(cross.status, 403)
  assert.equal((await browser.post('/accounts/login/', fields)).status, 303)
})

test('passwords tried at an address that looks alike are not counted for the account', async () => {
  const [own, other] = [await world.person('john.smith'), await world.person('johnsmith')]
  const enter = async (email: string, password: string) =>
    (await world.stranger().post('/accounts/login/', { email, password })).status
  for (let n = 0; n < 20; n++) {
    await limitAttempts(world.store, clock, { password: accountKey(null, 'j.ohnsmith@example.org') })
    await limitAttempts(world.store, clock, { password: accountKey(other, null) })
  }
  assert.equal(await enter('j.ohnsmith@example.org', 'wrong'), 429, 'one without an account is closed alike')
  assert.equal(await enter(own.email, PASSWORD), 303)
  clock.advance(86_400)
})

test('who enters an account that looks alike gives guesses at another no new attempts', async () => {
  const [own, other] = [await world.person('jane.doe'), await world.person('janedoe')]
  for (let n = 0; n < 20; n++) await limitAttempts(world.store, clock, { password: accountKey(own, null) })
  await world.stranger().signIn(other.email, PASSWORD)
  const guess = await world.stranger().post('/accounts/login/', { email: own.email, password: 'guess' })
  assert.equal(guess.status, 429)
  clock.advance(86_400)
})

test('the number of an account, typed as an address, uses up none of its attempts', async () => {
  const user = await world.person('numbered')
  for (let n = 0; n < 15; n++) await limitAttempts(world.store, clock, { password: accountKey(user, null) })
  const typed = ['#ID', 'user ID', ' user ID', 'ID', 'address ID']
  for (const text of [...typed, ...typed]) {
    const email = text.replace('ID', String(user.id))
    const guess = await world.stranger().post('/accounts/login/', { email, password: 'wrong' })
    assert.equal(guess.status, 401, email)
  }
  await world.stranger().signIn(user.email, PASSWORD)
  clock.advance(86_400)
})

test('twenty wrong passwords a day close an account to passwords', async () => {
  const user = await world.person('o.scar')
  for (let n = 0; n < 19; n++) await limitAttempts(world.store, clock, { password: accountKey(user, null) })
  const last = await world
    .stranger()
    .post('/accounts/login/', { email: user.email.toUpperCase(), password: 'wrong' })
  assert.equal(last.status, 401)
  const page = await world.stranger().post('/accounts/login/', { email: user.email, password: PASSWORD })
  assert.equal(page.status, 429)
  assert.match(page.text, /Too many attempts: try again in \d+ (hour|minute)/)
  clock.advance(86_400)
  assert.equal(
    (await world.stranger().post('/accounts/login/', { email: user.email, password: PASSWORD })).status,
    303,
  )
})

test('strangers who use up the attempts at a password do not keep known browsers out', async () => {
  const user = await world.person('quentin')
  const browser = world.stranger()
  await browser.signIn(user.email, PASSWORD)
  await browser.open('/accounts/profile/')
  await browser.post('/accounts/logout/')
  for (let n = 0; n < 20; n++) {
    await limitAttempts(world.store, clock, { password: accountKey(user, null), signIn: '127.0.0.1' })
  }
  const right = { email: user.email, password: PASSWORD }
  assert.equal((await world.stranger().post('/accounts/login/', right)).status, 429)
  const other = world.stranger()
  const device = browser.cookies.get('punctual_device')!
  other.cookies.set('punctual_device', device.replace(/\d+$/, String(alice.id)))
  const forged = await other.post('/accounts/login/', { ...right, email: alice.email })
  assert.equal(forged.status, 429)
  await browser.open('/accounts/login/')
  for (let n = 0; n < 3; n++) {
    const wrong = await browser.post('/accounts/login/', { ...right, password: 'wrong' })
    assert.equal(wrong.status, 401)
  }
  assert.equal((await browser.post('/accounts/login/', right)).status, 303)
  clock.advance(86_400)
})

test('a browser counts as known only with the credentials that the account has now', async () => {
  const user = await world.person('quincy')
  const [own, other] = [world.stranger(), world.stranger()]
  for (const browser of [own, other]) await browser.signIn(user.email, PASSWORD)
  await own.open('/accounts/profile/')
  const password = 'battery staple'
  await own.post('/accounts/password/', { password, current: PASSWORD })
  await own.open('/accounts/profile/')
  await own.post('/accounts/logout/')
  for (let n = 0; n < 20; n++) await limitAttempts(world.store, clock, { password: accountKey(user, null) })
  const guess = async (browser: ReturnType<typeof world.stranger>) => {
    await browser.open('/accounts/login/')
    return (await browser.post('/accounts/login/', { email: user.email, password: 'wrong' })).status
  }
  other.cookies.delete('punctual_session')
  assert.equal(await guess(other), 429, 'it entered the account with the password before')
  assert.equal(await guess(own), 401, 'the new password was set in it')
  assert.equal((await own.post('/accounts/login/', { email: user.email, password })).status, 303)
  await world.store.people.endSignIns(user.id, 3)
  own.cookies.delete('punctual_session')
  assert.equal(await guess(own), 429, 'the operator has signed everyone out')
  clock.advance(86_400)
})

test('many links and accounts that are asked for keep nobody of the network from signing in', async () => {
  for (let n = 0; n < 20; n++) {
    await limitAttempts(world.store, clock, { link: '127.0.0.1', signUp: '127.0.0.1' })
  }
  await world.stranger().signIn(alice.email, PASSWORD)
  clock.advance(86_400)
})

test('a proxy that the settings do not name is reported', async () => {
  world.untrusted.length = 0
  await world.stranger({ 'X-Forwarded-For': '203.0.113.9' }).signIn(alice.email, PASSWORD)
  assert.ok(world.untrusted.includes('127.0.0.1'))
})

test('where no e-mail goes out, the page says how to come back without the password', async () => {
  const page = await world.stranger().get('/accounts/login/')
  assert.match(page.text, /punctual user sign-in-link you@example\.org/)
  const way = /href="(\/docs\/[^"#]+)#([^"]+)"/.exec(page.text)!
  assert.match((await world.stranger().get(way[1]!)).text, new RegExp(`id="${way[2]}"`))
})

test('a new password is of use at once, however often the old one was guessed at', async () => {
  const user = await world.person('patricia')
  for (let n = 0; n < 20; n++) await limitAttempts(world.store, clock, { password: accountKey(user, null) })
  assert.equal(
    (await user.post('/accounts/password/', { password: 'battery staple', current: PASSWORD })).status,
    303,
  )
  await world.stranger().signIn(user.email, 'battery staple')
})
