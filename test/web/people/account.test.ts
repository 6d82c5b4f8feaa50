import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { limitAttempts } from '../../../src/actions/people/sign-in/limit-attempts.js'
import { sealTotpSecret } from '../../../src/lib/secrets/totp-secret.js'
import type { Visitor } from '../../_support/browser/visitor.js'
import { openWebWorld, PASSWORD } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store, clock } = world

const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: clock.now() })

test('the time zone and the theme are kept, and a zone that is none is refused', async () => {
  const { alice } = world
  assert.equal(
    (await alice.post('/accounts/profile/', { timezone: 'Asia/Calcutta', theme: 'dark' })).status,
    303,
  )
  const page = await alice.get('/accounts/profile/')
  assert.match(page.text, /data-theme="dark"/)
  assert.match(page.text, /<option value="Asia\/Kolkata" selected=""/)
  assert.equal((await alice.post('/accounts/profile/', { timezone: 'Moon/Base', theme: 'dark' })).status, 400)
  assert.equal((await alice.post('/accounts/profile/', { timezone: 'UTC', theme: 'neon' })).status, 400)
})

test('the address of the report settings in e-mails of Healthchecks leads to those settings', async () => {
  const page = await world.alice.get('/accounts/profile/notifications/')
  assert.equal(page.status, 303)
  assert.match(page.location ?? '', /\/accounts\/profile\/#reports$/)
  assert.match((await world.alice.get('/accounts/profile/')).text, /id="reports"/)
  const stranger = await world.stranger().get('/accounts/profile/notifications/')
  assert.equal(stranger.status, 302)
  assert.match(stranger.location ?? '', /\/accounts\/login\//)
})

test('somebody sees their sessions and signs one out, or all others', async () => {
  const user = await world.person('traveller')
  const phone = world.stranger({ 'User-Agent': 'Mozilla/5.0 (iPhone; CPU) Version/17 Safari/604.1' })
  const library = world.stranger({ 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Firefox/128.0' })
  await phone.signIn(user.email, PASSWORD)
  await library.signIn(user.email, PASSWORD)
  const page = await user.get('/accounts/profile/')
  assert.match(page.text, /Safari on iOS/)
  assert.match(page.text, /Firefox on Linux/)
  const sessions = await store.people.listSessions(user.id, clock.now())
  const lent = sessions.find(({ ua }) => ua.includes('Firefox'))!
  assert.equal((await world.charlie.post(`/accounts/sessions/${lent.uuid}/revoke/`)).status, 404)
  await user.post(`/accounts/sessions/${lent.uuid}/revoke/`)
  assert.equal((await library.get('/accounts/profile/')).status, 302)
  assert.equal((await phone.get('/accounts/profile/')).status, 200)
  await user.post('/accounts/sessions/revoke/')
  assert.equal((await phone.get('/accounts/profile/')).status, 302)
  assert.equal((await user.get('/accounts/profile/')).status, 200)
})

test('a session lasts thirty days from its last use', async () => {
  const user = await world.person('sleeper')
  clock.advance(29 * 86_400)
  assert.equal((await user.get('/accounts/profile/')).status, 200)
  clock.advance(29 * 86_400)
  assert.equal((await user.get('/accounts/profile/')).status, 200)
  clock.advance(31 * 86_400)
  assert.equal((await user.get('/accounts/profile/')).status, 302)
})

test('a session ends ninety days after the last proof, however much it is used', async () => {
  const user = await world.person('resident')
  for (let days = 0; days < 80; days += 20) {
    clock.advance(20 * 86_400)
    assert.equal((await user.get('/accounts/profile/')).status, 200)
  }
  clock.advance(9 * 86_400)
  assert.equal((await user.get('/accounts/profile/')).status, 200)
  clock.advance(2 * 86_400)
  assert.equal((await user.get('/accounts/profile/')).status, 302)
})

test('a session has another cookie after a new password and after a proof', async () => {
  const user = await world.person('renewed')
  const before = user.cookies.get('punctual_session')!
  await user.post('/accounts/password/', { password: 'battery staple', current: PASSWORD })
  const between = user.cookies.get('punctual_session')!
  await user.open('/accounts/confirm/')
  await user.post('/accounts/confirm/', { password: 'battery staple' })
  const after = user.cookies.get('punctual_session')!
  assert.equal(new Set([before, between, after]).size, 3)
  for (const old of [before, between]) {
    const thief = world.stranger()
    thief.cookies.set('punctual_session', old)
    assert.equal((await thief.get('/accounts/profile/')).status, 302)
  }
  assert.equal((await user.get('/accounts/profile/')).status, 200)
})

test('a new password ends all other sessions, and the old password', async () => {
  const user = await world.person('changer')
  const other = world.stranger()
  await other.signIn(user.email, PASSWORD)
  const short = await user.post('/accounts/password/', { password: '1234567', current: PASSWORD })
  assert.equal(short.status, 400)
  for (const [password, why] of [
    ['147258369', /too easy to guess/],
    ['FuckYou1', /too easy to guess/],
    ['PassWord123!', /too easy to guess/],
    ['Changer@Example.org', /must not be your e-mail address/],
  ] as const) {
    const refused = await user.post('/accounts/password/', { password, current: PASSWORD })
    assert.equal(refused.status, 400)
    assert.match(refused.text, why)
  }
  const unproven = await user.post('/accounts/password/', { password: 'battery staple', current: 'wrong' })
  assert.equal(unproven.status, 401)
  assert.match(unproven.text, /This is not your password/)
  await user.post('/accounts/password/', { password: 'battery staple', current: PASSWORD })
  assert.equal((await user.get('/accounts/profile/')).status, 200)
  assert.equal((await other.get('/accounts/profile/')).status, 302)
  const old = await world.stranger().post('/accounts/login/', { email: user.email, password: PASSWORD })
  assert.equal(old.status, 401)
  await world.stranger().signIn(user.email, 'battery staple')
})

test('after half an hour something sensitive asks for the password again', async () => {
  const user = await world.person('careful')
  const sensitive = ['password', 'email', 'totp', 'close']
  clock.advance(31 * 60)
  for (const path of sensitive) {
    const page = await user.get(`/accounts/${path}/`)
    assert.equal(page.location, `/accounts/confirm/?next=%2Faccounts%2F${path}%2F`)
    assert.equal((await user.post(`/accounts/${path}/`)).location, '/accounts/confirm/')
  }
  const asked = await user.get('/accounts/confirm/?next=%2Faccounts%2Ftotp%2F')
  assert.match(asked.text, /Forgot your password\?.*punctual user sign-in-link/s)
  const wrong = await user.post('/accounts/confirm/', { password: 'wrong', next: '/accounts/totp/' })
  assert.equal(wrong.status, 401)
  const right = await user.post('/accounts/confirm/', { password: PASSWORD, next: '/accounts/totp/' })
  assert.equal(right.location, '/accounts/totp/')
  assert.equal((await user.get('/accounts/totp/')).status, 200)
})

/** The recovery codes that a page shows. */
const codesIn = (text: string) => [...new Set(text.match(/(?<![0-9a-z])([0-9a-z]{4}-){5}[0-9a-z]{4}\b/g))]

/** Sets an authenticator app up and returns its secret, and the recovery codes that came with it. */
async function setUpApp(user: Visitor): Promise<{ secret: string; codes: string[] }> {
  const page = await user.get('/accounts/totp/')
  assert.match(page.text, /<svg class="qr"/)
  const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(page.text)![1]!
  const wrong = await user.post('/accounts/totp/', { secret, code: '000000' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, new RegExp(`value="${secret}"`), 'the secret stays while the code is typed again')
  const done = await user.post('/accounts/totp/', { secret, code: codeOf(secret) })
  assert.equal(done.status, 200)
  return { secret, codes: codesIn(done.text) }
}

test('with an authenticator app, the password alone opens nothing, and each code works once', async () => {
  const user = await world.person('twostep')
  const { secret } = await setUpApp(user)
  const browser = world.stranger()
  const first = await browser.post('/accounts/login/', { email: user.email, password: PASSWORD })
  assert.equal(first.location, '/accounts/login/second/')
  assert.equal((await browser.get('/accounts/profile/')).status, 302, 'not signed in yet')
  assert.equal((await browser.post('/accounts/login/second/', { code: '123 456' })).status, 401)
  const used = await browser.post('/accounts/login/second/', { code: codeOf(secret) })
  assert.equal(used.status, 401, 'the code of the set-up was used')
  clock.advance(30)
  assert.equal((await browser.post('/accounts/login/second/', { code: codeOf(secret) })).status, 303)
  assert.equal((await browser.get('/accounts/profile/')).status, 200)

  const again = world.stranger()
  await again.post('/accounts/login/', { email: user.email, password: PASSWORD })
  assert.equal((await again.post('/accounts/login/second/', { code: codeOf(secret) })).status, 401)
})

test('the app’s secret is stored sealed, and one from before is sealed at its first use', async () => {
  const user = await world.person('sealed')
  const { secret } = await setUpApp(user)
  const stored = async () => (await store.people.signInFacts({ id: user.id }))!.totpSecret!
  assert.doesNotMatch(await stored(), new RegExp(secret))
  const bare = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  await world.raw(`UPDATE users SET totp_secret = '${bare}' WHERE id = ${user.id}`)
  clock.advance(30)
  const browser = world.stranger()
  await browser.post('/accounts/login/', { email: user.email, password: PASSWORD })
  assert.equal((await browser.post('/accounts/login/second/', { code: codeOf(bare) })).status, 303)
  assert.doesNotMatch(await stored(), new RegExp(bare))

  const old = 'the key before this one'
  await world.raw(
    `UPDATE users SET totp_secret = '${sealTotpSecret(old, user.id, bare)}' WHERE id = ${user.id}`,
  )
  const enter = async () => {
    clock.advance(30)
    const visitor = world.stranger()
    await visitor.post('/accounts/login/', { email: user.email, password: PASSWORD })
    return await visitor.post('/accounts/login/second/', { code: codeOf(bare) })
  }
  assert.match((await enter()).text, /codes cannot be checked because SECRET_KEY of the server has changed/i)
  Object.assign(world.config, { SECRET_KEY_PREVIOUS: old })
  assert.equal((await enter()).status, 303)
  Object.assign(world.config, { SECRET_KEY_PREVIOUS: '' })
  assert.equal((await enter()).status, 303, 'sealed anew with the key of today')

  const moved = await world.person('moved-secret')
  await world.raw(`UPDATE users SET totp_secret = '${await stored()}' WHERE id = ${moved.id}`)
  const other = world.stranger()
  await other.post('/accounts/login/', { email: moved.email, password: PASSWORD })
  clock.advance(30)
  const refused = await other.post('/accounts/login/second/', { code: codeOf(bare) })
  assert.equal(refused.status, 401, 'good for the account alone that it was sealed for')
})

test('the second step is to be taken within five minutes, and only by who took the first', async () => {
  const user = await world.person('slow')
  const { secret } = await setUpApp(user)
  const stranger = world.stranger()
  assert.equal((await stranger.get('/accounts/login/second/')).location, '/accounts/login/')
  stranger.cookies.set('punctual_second', `${'x'.repeat(22)}[9999999999999,${user.id},"password",null]`)
  assert.equal((await stranger.get('/accounts/login/second/')).location, '/accounts/login/')
  const browser = world.stranger()
  await browser.post('/accounts/login/', { email: user.email, password: PASSWORD })
  clock.advance(301)
  assert.equal(
    (await browser.post('/accounts/login/second/', { code: codeOf(secret) })).location,
    '/accounts/login/',
  )
})

test('each recovery code stands for the second step once, and new ones end the old', async () => {
  const user = await world.person('unlucky')
  const { codes } = await setUpApp(user)
  const [first, second] = codes as [string, string]
  assert.equal(new Set(codes).size, 10)
  assert.doesNotMatch((await user.get('/accounts/profile/')).text, new RegExp(first))

  const enterWith = async (recovery: string) => {
    const browser = world.stranger()
    await browser.post('/accounts/login/', { email: user.email, password: PASSWORD })
    const answer = await browser.post('/accounts/login/recovery/', { recovery })
    return { ...answer, browser }
  }
  assert.equal((await enterWith('0000-0000-0000-0000')).status, 401)
  const entered = await enterWith(first.toUpperCase().replaceAll('-', ' '))
  assert.equal(entered.status, 303)
  assert.match((await entered.browser.open('/accounts/profile/')).text, /9 left/)
  assert.equal((await enterWith(first)).status, 401, 'it was used')

  const renewed = codesIn((await user.post('/accounts/recovery-codes/')).text)
  assert.equal(renewed.length, 10)
  assert.equal((await enterWith(second)).status, 401, 'there are new ones')
  assert.equal((await enterWith(renewed[0]!)).status, 303)
  await user.post('/accounts/totp/remove/')
  assert.equal((await world.store.people.signInFacts({ id: user.id }))!.recoveryCodes, 0)
  assert.equal((await user.post('/accounts/recovery-codes/')).status, 409)
})

test('wrong codes of an app keep nobody from recovery codes and passkeys', async () => {
  const user = await world.person('guessed-at')
  const { codes } = await setUpApp(user)
  for (let n = 0; n < 96; n++) await limitAttempts(store, clock, { code: String(user.id) })
  const browser = world.stranger()
  await browser.post('/accounts/login/', { email: user.email, password: PASSWORD })
  assert.equal((await browser.post('/accounts/login/second/', { code: '123456' })).status, 429)
  const passkey = await browser.post('/accounts/login/passkey/', { answer: '{}' })
  assert.equal(passkey.status, 401, 'it is looked at')
  const recovery = codes[0]!
  assert.equal((await browser.post('/accounts/login/recovery/', { recovery })).status, 303)
})

test('a recovery code is taken in the field of the app’s code too, and a wrong one is told where it goes', async () => {
  const user = await world.person('hasty')
  const { codes } = await setUpApp(user)
  const enterWith = async (code: string) => {
    const browser = world.stranger()
    await browser.post('/accounts/login/', { email: user.email, password: PASSWORD })
    const { text } = await browser.get('/accounts/login/second/')
    assert.match(text, /Six digits, or a recovery code\./)
    return { ...(await browser.post('/accounts/login/second/', { code })), browser }
  }
  const wrong = await enterWith('abcd-efgh-jkmn-pqrs')
  assert.equal(wrong.status, 401)
  assert.match(wrong.text, /<details class="disclosure" open="">.*recovery code is wrong or was used/s)
  const right = await enterWith(codes[0]!)
  assert.equal(right.status, 303)
  assert.match((await right.browser.open('/accounts/profile/')).text, /9 are left/)
  assert.equal((await enterWith(codes[0]!)).status, 401, 'it was used')
})

test('an authenticator app is removed again', async () => {
  const user = await world.person('fickle')
  await setUpApp(user)
  await user.post('/accounts/totp/remove/')
  await world.stranger().signIn(user.email, PASSWORD)
})

test('without outgoing e-mail a new address counts at once, unless somebody has it', async () => {
  const user = await world.person('mover')
  const taken = await user.post('/accounts/email/', { email: 'alice@example.org' })
  assert.equal(taken.status, 409)
  await user.post('/accounts/email/', { email: 'Moved@example.org' })
  await world.stranger().signIn('moved@example.org', PASSWORD)
})

test('closing an account takes the typed address, and the owned projects go with it', async () => {
  const user = await world.person('leaving')
  const own = await world.projectOf(user, 'Own')
  await store.projects.putMember({ projectId: own.id, userId: world.bob.id, role: 'member', now: 1 })
  await store.projects.putMember({ projectId: world.project.id, userId: user.id, role: 'member', now: 1 })
  await world.addCheck('Backup', own.id)
  assert.match((await user.get('/accounts/close/')).text, />Own</)
  assert.equal((await user.post('/accounts/close/', { email: 'leaving' })).status, 400)
  assert.equal((await user.post('/accounts/close/', { email: user.email })).location, '/accounts/login/')
  assert.equal((await user.get('/accounts/profile/')).status, 302)
  assert.equal(await store.people.findUser(user.email), null)
  assert.equal(await store.projects.find(own.uuid), null)
  assert.notEqual(await store.projects.find(world.project.uuid), null)
})

test('a link that is used up or too old says why, and what to do', async () => {
  const stranger = world.stranger()
  const says = async (path: string, words: RegExp) => {
    const { status, text } = await stranger.get(path)
    assert.equal(status, 410)
    assert.match(text, /<h1>This link no longer works<\/h1>/)
    assert.match(text, words)
  }
  await says('/accounts/link/unknown/', /ask the person who gave it to you for a new one/)
  await says('/accounts/first/unknown/', /the newest link is in the server’s output/)
  await says('/accounts/invitations/unknown/', /was used, withdrawn or has expired: ask for a new one/)
})
