import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitAttempts } from '../../src/actions/people/sign-in/limit-attempts.js'
import { openWebWorld, PASSWORD } from '../_support/worlds/web-world.js'

const world = await openWebWorld({
  app: { SITE_ROOT: 'https://monitor.example/jobs', TRUSTED_PROXIES: ['127.0.0.1'] },
})
const credentials = { email: 'alice@example.org', password: PASSWORD }

test('behind https every cookie is Secure, and under a path it belongs to that path', async () => {
  const browser = world.stranger()
  const page = await browser.get('/accounts/login/')
  const signedIn = await browser.post('/accounts/login/', credentials)
  const cookies = [...page.headers.getSetCookie(), ...signedIn.headers.getSetCookie()]
  assert.equal(cookies.length, 3)
  for (const cookie of cookies) {
    assert.match(cookie, /; Secure/)
    assert.match(cookie, /; HttpOnly/)
    assert.match(cookie, /; SameSite=Lax/)
    assert.match(cookie, /; Path=\/jobs\//)
    assert.match(cookie, /^__Secure-punctual_/)
  }
})

test('behind https on a host of its own every cookie is bound to that host', async () => {
  const own = await openWebWorld({ app: { SITE_ROOT: 'https://monitor.example' } })
  const browser = own.stranger()
  const page = await browser.get('/accounts/login/')
  const signedIn = await browser.post('/accounts/login/', credentials)
  await browser.open('/accounts/profile/')
  const saved = await browser.post('/accounts/profile/', { timezone: 'UTC', theme: 'dark' })
  assert.equal(saved.status, 303)
  const cookies = [page, signedIn, saved].flatMap(({ headers }) => headers.getSetCookie())
  assert.deepEqual(
    cookies.map(cookie => cookie.split('=')[0]),
    ['visitor', 'session', 'device', 'flash'].map(name => `__Host-punctual_${name}`),
  )
  for (const cookie of cookies) assert.match(cookie, /; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  const fixed = own.stranger()
  fixed.cookies.set('punctual_session', browser.cookies.get('__Host-punctual_session')!)
  assert.equal(
    (await fixed.get('/accounts/profile/')).status,
    302,
    'a cookie without the prefix counts for nothing',
  )
})

test('links, forms and redirects begin with the path of the site', async () => {
  const page = await world.stranger().get('/accounts/login/')
  assert.match(page.text, /<form method="post" action="\/jobs\/accounts\/login\/"/)
  assert.match(page.text, /href="\/jobs\/accounts\/signup\/"/)
  const wanted = await world.stranger().get('/accounts/profile/')
  assert.equal(wanted.location, '/jobs/accounts/login/?next=%2Faccounts%2Fprofile%2F')
  const signedIn = await world
    .stranger()
    .post('/accounts/login/', { ...credentials, next: '/accounts/profile/' })
  assert.equal(signedIn.location, '/jobs/accounts/profile/')
})

test('twenty attempts an hour from one address are enough; others are not kept out, nor can one pose as others', async () => {
  const attacker = '198.51.100.7'
  for (let n = 0; n < 20; n++) await limitAttempts(world.store, world.clock, { signIn: attacker })
  const tries = (forwarded: string) =>
    world.stranger({ 'X-Forwarded-For': forwarded }).post('/accounts/login/', credentials)
  assert.equal((await tries(attacker)).status, 429)
  assert.equal(
    (await tries(`203.0.113.5, ${attacker}`)).status,
    429,
    'what the client wrote itself counts for nothing',
  )
  assert.equal((await tries('198.51.100.8')).status, 303)
})
