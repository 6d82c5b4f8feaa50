import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { TOTP } from 'otpauth'
import { beginSession } from '../../../src/actions/people/sign-in/begin-session.js'
import { accountKey, limitAttempts } from '../../../src/actions/people/sign-in/limit-attempts.js'
import { createMailer } from '../../../src/lib/mail/mailer.js'
import type { Visitor } from '../../_support/browser/visitor.js'
import { eventually } from '../../_support/eventually.js'
import { openMailServer } from '../../_support/servers/mail-server.js'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld, PASSWORD } from '../../_support/worlds/web-world.js'

const post = await openMailServer({ after } as TestContext)
const world = await openWebWorld({ mailer: createMailer(post.options) })
const { alice, store, clock } = world

/** The path of the link in the next mail after `send`, which nobody waits for. */
async function linkAfter(send: () => Promise<unknown>, address: string): Promise<string> {
  const before = post.mails.length
  await send()
  await eventually(() => post.mails.length > before)
  return linkTo(address)
}

/** The path of the link in the last mail, which must be to this address. */
function linkTo(address: string): string {
  const mail = post.mails.at(-1)!
  assert.deepEqual(mail.envelope.to, [address])
  const link = /http:\/\/localhost:8000(\/accounts\/\S+\/)/.exec(mail.text)![1]!
  assert.ok(mail.html.includes(link))
  return link
}

test('a link by e-mail signs in once, after a click that no mail scanner makes', async () => {
  const browser = world.stranger()
  const link = await linkAfter(async () => {
    const sent = await browser.post('/accounts/login/link/', { email: ' ALICE@example.org', password: '' })
    assert.equal(sent.status, 200)
    assert.match(sent.text, /Check your e-mail/)
  }, alice.email)
  assert.match((await browser.get(link)).text, /This link is valid/)
  assert.equal((await browser.get(link)).status, 200, 'looking at it does not use it up')
  assert.equal((await browser.post(link)).status, 303)
  assert.equal((await browser.get('/accounts/profile/')).status, 200)
  const late = await world.stranger().get(link)
  assert.equal(late.status, 410)
  assert.match(late.text, /request a new one on the sign-in page/)
})

test('who has forgotten the password when it is asked for again is sent a link', async () => {
  clock.advance(31 * 60)
  const page = await alice.get('/accounts/confirm/?next=%2Faccounts%2Fpassword%2F')
  assert.match(page.text, /Forgot your password\?/)
  const link = await linkAfter(() => alice.post('/accounts/login/link/', { email: alice.email }), alice.email)
  await alice.post(link)
  assert.equal((await alice.get('/accounts/password/')).status, 200)
})

test('a link signs in only the browser that asked for it, and stays good for that one', async () => {
  const browser = world.stranger()
  const link = await linkAfter(
    () => browser.post('/accounts/login/link/', { email: alice.email }),
    alice.email,
  )
  const other = world.stranger()
  await other.post('/accounts/login/link/', { email: 'nobody@example.org' })
  for (const answer of [await other.get(link), await other.post(link)]) {
    assert.equal(answer.status, 403)
    assert.match(answer.text, /only in the browser in which it was requested/)
  }
  assert.equal((await browser.post(link)).status, 303)
})

test('the owner of an account is told of a new password and of changes of the second step', async () => {
  const user = await world.person('watchful')
  const told = (words: RegExp) =>
    eventually(() => {
      const mail = post.mails.at(-1)!
      return mail.envelope.to[0] === user.email && words.test(mail.headers.subject!)
    })
  await user.post('/accounts/password/', { password: 'battery staple', current: PASSWORD })
  await told(/^Your password at Punctual was changed/)
  const page = await user.get('/accounts/totp/')
  const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(page.text)![1]!
  const code = new TOTP({ secret }).generate({ timestamp: clock.now() })
  const codes = (await user.post('/accounts/totp/', { secret, code })).text
  await told(/^A second step was added/)
  const browser = world.stranger()
  await browser.post('/accounts/login/', { email: user.email, password: 'battery staple' })
  const recovery = /(?<![0-9a-z])(?:[0-9a-z]{4}-){5}[0-9a-z]{4}\b/.exec(codes)![0]
  assert.equal((await browser.post('/accounts/login/recovery/', { recovery })).status, 303)
  await told(/^A recovery code was used/)
  await user.post('/accounts/totp/remove/')
  await told(/^A second step was removed/)
})

test('an unknown address gets the same page and no mail', async () => {
  const before = post.mails.length
  const page = await world.stranger().post('/accounts/login/link/', { email: 'nobody@example.org' })
  assert.equal(page.status, 200)
  assert.match(page.text, /If nobody@example\.org has an account/)
  assert.equal(post.mails.length, before)
})

test('a newer link replaces the older, and none works after fifteen minutes', async () => {
  const browser = world.stranger()
  const ask = () => browser.post('/accounts/login/link/', { email: alice.email })
  const older = await linkAfter(ask, alice.email)
  const newer = await linkAfter(ask, alice.email)
  assert.equal((await browser.get(older)).status, 410)
  assert.equal((await browser.get(newer)).status, 200)
  clock.advance(901)
  assert.equal((await browser.get(newer)).status, 410)
})

/** The path of the link that is mailed to who signs up with this address. */
const signUpLink = (browser: Visitor, email: string) =>
  linkAfter(async () => assert.equal((await browser.post('/accounts/signup/', { email })).status, 200), email)

test('signing up sends a link, behind which a password is chosen; alerts go to the address from the start', async () => {
  const browser = world.stranger()
  const link = await linkAfter(async () => {
    const sent = await browser.post('/accounts/signup/', { email: 'Dora@example.org' })
    assert.match(sent.text, /sent to Dora@example\.org/)
  }, 'dora@example.org')
  assert.equal(await store.people.findUser('dora@example.org'), null, 'not before the link was opened')
  assert.equal((await browser.post(link, { password: 'short' })).status, 400)
  const made = await browser.post(link, { password: PASSWORD, timezone: 'Europe/Riga' })
  assert.match(made.location!, /^\/checks\/[0-9a-f-]{36}\/details\/$/)
  const user = (await store.people.findUser('dora@example.org'))!
  const [project] = await store.people.listProjects(user.id)
  const access = await store.people.projectAccess(user.id, project!.uuid)
  const channels = await store.channels.list(access!.id)
  assert.deepEqual(
    channels.map(({ kind, settings }) => [kind, settings.value]),
    [['email', 'dora@example.org']],
  )
  assert.equal((await world.stranger().get(link)).status, 410)
})

test('somebody with an address of more than 100 characters signs up and is sent alerts', async () => {
  const email = `${'l'.repeat(60)}@${'d'.repeat(40)}.example.org`
  const browser = world.stranger()
  const link = await signUpLink(browser, email)
  assert.equal((await browser.post(link, { password: PASSWORD })).status, 303)
  const [project] = await store.people.listProjects((await store.people.findUser(email))!.id)
  const { id } = (await store.people.projectAccess((await store.people.findUser(email))!.id, project!.uuid))!
  const [channel] = await store.channels.list(id)
  assert.equal(channel!.settings.value, email)
})

test('a link to sign up asks another browser for the address, so that nobody is led into a strange account', async () => {
  const attacker = world.stranger()
  const link = await signUpLink(attacker, 'eve@example.org')
  const victim = world.stranger()
  assert.doesNotMatch((await victim.get(link)).text, /eve@example\.org/)
  for (const fields of [{}, { email: 'victim@example.org' }]) {
    const answer = await victim.post(link, { password: PASSWORD, ...fields })
    assert.equal(answer.status, 400)
    assert.match(answer.text, /This link was sent to another address/)
  }
  assert.equal(await store.people.findUser('eve@example.org'), null)
  const phone = world.stranger()
  assert.equal((await phone.post(link, { password: PASSWORD, email: ' Eve@example.org' })).status, 303)
})

test('a link to sign in that came of signing up signs in only the browser that asked', async () => {
  const attacker = world.stranger()
  const link = await signUpLink(attacker, alice.email)
  assert.equal((await world.stranger().post(link)).status, 403)
  assert.equal((await attacker.post(link)).status, 303)
})

test('who signs up with an address that has an account gets the same page; its owner is told, with a link that signs in', async () => {
  const answerTo = async (email: string) => {
    const { status, text } = await world.stranger().post('/accounts/signup/', { email })
    return [status, text.replaceAll(email, 'ADDRESS').replace(/name="csrf" value="[^"]*"/g, '')]
  }
  let unknown: unknown
  await linkAfter(async () => (unknown = await answerTo('nobody-yet@example.org')), 'nobody-yet@example.org')
  const link = await linkAfter(
    async () => assert.deepEqual(await answerTo(alice.email), unknown),
    alice.email,
  )
  assert.match(link, /^\/accounts\/link\//)
  assert.match(post.mails.at(-1)!.text, /tried to sign up with alice@example\.org, which has an account/)
})

test('a new address counts when its link is opened, and the old one is told', async () => {
  const user = await world.person('mover')
  await user.post('/accounts/email/', { email: 'moved@example.org' })
  const link = linkTo('moved@example.org')
  assert.equal((await store.people.findUser('mover@example.org'))?.id, user.id, 'not before')
  assert.equal((await alice.get(link)).status, 410, 'of no use to anybody else')
  assert.match(wordsOf((await user.get(link)).text), /you sign in with moved@example\.org/)
  await user.post(link)
  assert.equal((await store.people.findUser('moved@example.org'))?.id, user.id)
  assert.deepEqual(post.mails.at(-1)!.envelope.to, ['mover@example.org'])
  assert.match(post.mails.at(-1)!.headers.subject!, /was changed/)
})

test('an invitation is sent to its address', async () => {
  const base = `/projects/${world.project.uuid}`
  await world.mike.post(`${base}/invitations/add/`, { email: 'Erik@example.org', role: 'readonly' })
  const link = linkTo('erik@example.org')
  assert.match(post.mails.at(-1)!.text, /mike@example\.org invites you to “Alice’s jobs”/)
  const page = await world.mike.get(`${base}/settings/`)
  assert.match(page.text, /sent to erik@example\.org/)
  const erik = world.stranger()
  assert.match((await erik.get(link)).text, /value="erik@example\.org"/)
  assert.equal((await erik.post(link, { email: 'erik@example.org', password: PASSWORD })).status, 303)
})

test('an offered project is announced to the member', async () => {
  await alice.post(`/projects/${world.project.uuid}/transfer/`, { member: world.bob.uuid })
  assert.deepEqual(post.mails.at(-1)!.envelope.to, [world.bob.email])
  assert.match(post.mails.at(-1)!.text, new RegExp(`/projects/${world.project.uuid}/settings/`))
})

test('one owner’s offers keep no other owner from offering a project, and mails to one person have a limit', async () => {
  const { bob, mike } = world
  const own = await world.projectOf(mike, 'Mike’s jobs')
  const offered = async (by: typeof mike, { uuid }: { uuid: string }) => {
    const { status } = await by.post(`/projects/${uuid}/transfer/`, { member: bob.uuid })
    if (status === 303) await by.post(`/projects/${uuid}/transfer/cancel/`)
    return status
  }
  await store.projects.putMember({ projectId: own.id, userId: bob.id, role: 'member', now: clock.now() })
  const statuses: number[] = []
  for (let n = 0; n < 11; n++) statuses.push(await offered(mike, own))
  assert.deepEqual(statuses, [...Array(10).fill(303), 429])
  assert.equal(await offered(alice, world.project), 303)
  const bobs = () => post.mails.filter(({ envelope }) => envelope.to[0] === bob.email).length
  const before = bobs()
  for (let n = 0; n < 5; n++) {
    const other = await world.person(`giver${n}`)
    const project = await world.projectOf(other, `Gift ${n}`)
    await store.projects.putMember({
      projectId: project.id,
      userId: bob.id,
      role: 'member',
      now: clock.now(),
    })
    for (let i = 0; i < 10; i++) assert.equal(await offered(other, project), 303)
  }
  const mailed = bobs() - before
  assert.ok(mailed >= 37 && mailed < 50, `${mailed} mails`)
})

test('a link to a new address works again after it turned out to be taken, and not once it was used', async () => {
  const person = await world.person('mover')
  const link = await linkAfter(
    () => person.post('/accounts/email/', { email: 'wanted@example.org' }),
    'wanted@example.org',
  )
  const other = await store.people.createUser({
    email: 'wanted@example.org',
    passwordHash: null,
    now: clock.now(),
  })
  assert.equal((await person.post(link)).status, 409)
  await store.people.deleteUser(other.id, clock.now())
  assert.equal((await person.post(link)).status, 303)
  assert.equal((await person.post(link)).status, 410)
})

test('a link to a new address ends with another session that is ended, and not at a sign-out', async () => {
  const person = await world.person('stays')
  const asked = async (email: string) =>
    await linkAfter(() => person.post('/accounts/email/', { email }), email)
  const elsewhere = async () => {
    const known = new Set((await store.people.listSessions(person.id, clock.now())).map(({ uuid }) => uuid))
    const user = (await store.people.findUser(person.email))!
    await beginSession(store, clock, { user, method: 'password', visitor: { ua: 'thief', address: '::1' } })
    const now = await store.people.listSessions(person.id, clock.now())
    return now.find(({ uuid }) => !known.has(uuid))!.uuid
  }
  const first = await asked('first@example.org')
  await store.people.closeSession(person.id, await elsewhere())
  assert.equal((await person.get(first)).status, 200)
  assert.equal((await person.post(`/accounts/sessions/${await elsewhere()}/revoke/`)).status, 303)
  assert.equal((await person.get(first)).status, 410)
})

test('an address is sent ten mails an hour at most', async () => {
  const browser = world.stranger()
  const statuses: number[] = []
  for (let n = 0; n < 11; n++) {
    statuses.push((await browser.post('/accounts/login/link/', { email: 'quiet@example.org' })).status)
  }
  assert.deepEqual(statuses, [...Array(10).fill(200), 429])
})

test('one person has links sent to twenty new addresses a day, and no more', async () => {
  const person = await world.person('wanderer')
  const statuses: number[] = []
  for (let n = 0; n < 21; n++) {
    statuses.push((await person.post('/accounts/email/', { email: `s${n}@other${n}.example` })).status)
  }
  assert.deepEqual(statuses, [...Array(20).fill(303), 429])
})

test('neither a change of address nor an offer is mailed to an address that nobody has proven', async () => {
  const person = await world.person('planted')
  await world.raw(`UPDATE users SET email_proven_at = NULL WHERE id = ${person.id}`)
  const project = await world.projectOf(alice, 'offered')
  await store.projects.putMember({
    projectId: project.id,
    userId: person.id,
    role: 'member',
    now: clock.now(),
  })
  assert.equal((await alice.post(`/projects/${project.uuid}/transfer/`, { member: person.uuid })).status, 303)
  const link = await linkAfter(
    () => person.post('/accounts/email/', { email: 'own@evil.example' }),
    'own@evil.example',
  )
  assert.equal((await person.post(link)).status, 303)
  assert.deepEqual(
    post.mails.filter(({ envelope }) => envelope.to[0] === person.email),
    [],
  )
})

test('what strangers ask for ends no pending link, and keeps nobody in another network from one', async () => {
  const behind = await openWebWorld({
    app: { TRUSTED_PROXIES: ['127.0.0.1'] },
    mailer: createMailer(post.options),
  })
  const person = await behind.person('besieged')
  const from = (address: string) => behind.stranger({ 'X-Forwarded-For': address })
  const ask = async (browser: ReturnType<typeof from>) =>
    (await browser.post('/accounts/login/link/', { email: person.email })).status
  const owner = from('198.51.100.7')
  const link = await linkAfter(() => ask(owner), person.email)
  const statuses: number[] = []
  for (let n = 0; n < 11; n++) statuses.push(await ask(from('203.0.113.9')))
  assert.deepEqual(statuses, [...Array(10).fill(200), 429])
  assert.equal(await ask(from('198.51.100.7')), 200)
  assert.equal((await owner.post(link)).status, 303)
})

test('links asked for by addresses that look like the owner’s use up none of the owner’s', async () => {
  const behind = await openWebWorld({
    app: { TRUSTED_PROXIES: ['127.0.0.1'] },
    mailer: createMailer(post.options),
  })
  await behind.person('lookalike')
  const ask = async (email: string, address: string) =>
    (await behind.stranger({ 'X-Forwarded-For': address }).post('/accounts/login/link/', { email })).status
  for (let network = 1; network <= 5; network++) {
    for (let n = 0; n < 10; n++)
      assert.equal(await ask('look.alike@example.org', `203.0.113.${network}`), 200)
  }
  assert.equal(await ask('look.alike@example.org', '203.0.113.5'), 429, 'an address without an account, too')
  await linkAfter(() => ask('lookalike@example.org', '203.0.113.5'), 'lookalike@example.org')
  const { id } = (await behind.store.people.findUser('lookalike@example.org'))!
  for (let n = 0; n < 10; n++) assert.equal(await ask(n % 2 ? `#${id}` : `user ${id}`, '203.0.113.6'), 200)
  await linkAfter(() => ask('lookalike@example.org', '203.0.113.6'), 'lookalike@example.org')
})

test('what others have sent to an address keeps its owner from nothing', async () => {
  const person = await world.person('bothered')
  for (const mail of [person.email, 'new-here@example.org']) {
    for (let n = 0; n < 10; n++) await limitAttempts(store, clock, { mail })
  }
  const sent = post.mails.length
  assert.equal((await person.post('/accounts/email/', { email: person.email })).status, 303)
  assert.equal(linkTo(person.email).startsWith('/accounts/email/'), true)
  await signUpLink(world.stranger(), 'new-here@example.org')
  assert.equal(post.mails.length, sent + 2)
})

test('strangers who sign up with an address, or one that looks alike, keep nobody from an account', async () => {
  const [stranger, owner] = [world.stranger(), world.stranger()]
  const email = 'wanted@example.org'
  for (let n = 0; n < 10; n++) await limitAttempts(store, clock, { signUpLinks: 'w.anted@example.org' })
  const link = await signUpLink(stranger, email)
  for (let n = 0; n < 9; n++) await limitAttempts(store, clock, { signUpLink: email })
  const sent = post.mails.length
  const asked = await owner.post('/accounts/signup/', { email })
  assert.equal(asked.status, 200)
  assert.match(asked.text, /use the newest/)
  await signUpLink(world.stranger(), 'somebody-else@example.org')
  assert.equal(post.mails.length, sent + 1, 'nothing more is mailed')
  assert.equal((await owner.post(link, { email, password: PASSWORD })).status, 303)
})

test('strangers who sign up with tagged addresses keep nobody from signing up with the plain one', async () => {
  for (let n = 0; n < 50; n++) await limitAttempts(store, clock, { signUpLinks: `plain+${n}@example.org` })
  for (const look of ['p.lain', 'pl.ain', 'pla.in', 'plai.n', 'p.l.ain', 'p.la.in'])
    for (let n = 0; n < 10; n++) await limitAttempts(store, clock, { signUpLinks: `${look}@example.org` })
  const ask = async (email: string) => (await world.stranger().post('/accounts/signup/', { email })).status
  const sent = post.mails.length
  assert.equal(await ask('plain+new@example.org'), 429)
  assert.equal(post.mails.length, sent, 'what one mailbox is sent is limited')
  await signUpLink(world.stranger(), 'plain@example.org')
  clock.advance(3_600)
  // What was refused was not counted.
  await signUpLink(world.stranger(), 'plain+new@example.org')
})

test('links by which invitations are taken keep nobody from signing up', async () => {
  const email = 'invited-often@example.org'
  for (let n = 0; n < 50; n++) await limitAttempts(store, clock, { proofLinks: email })
  await signUpLink(world.stranger(), email)
})

test('strangers who use up passwords and links keep an owner out of no browser', async () => {
  const person = await world.person('outlasting')
  const [stranger, owner, other] = [world.stranger(), world.stranger(), world.stranger()]
  const link = await linkAfter(
    () => stranger.post('/accounts/login/link/', { email: person.email }),
    person.email,
  )
  for (let n = 0; n < 49; n++) await limitAttempts(store, clock, { linksTo: String(person.id) })
  for (let n = 0; n < 20; n++) await limitAttempts(store, clock, { password: accountKey(person, null) })
  const right = { email: person.email, password: PASSWORD }
  assert.equal((await owner.post('/accounts/login/', right)).status, 429)
  assert.equal((await owner.post(link)).status, 403, 'before the owner has asked')
  const sent = post.mails.length
  const asked = await owner.post('/accounts/login/link/', { email: person.email })
  assert.equal(asked.status, 200)
  assert.match(asked.text, /use the newest/)
  await other.post('/accounts/login/link/', { email: 'nobody@example.org' })
  assert.equal((await other.post(link)).status, 403, 'who asked for another address')
  assert.equal((await owner.post(link)).status, 303)
  assert.equal((await owner.get('/accounts/profile/')).status, 200)
  assert.equal(post.mails.length, sent, 'nothing more was mailed')
})

test('what a browser asked for is forgotten when links of that time have run out', async () => {
  const [browser, later] = [world.stranger(), world.stranger()]
  const ask = (visitor: typeof browser) => visitor.post('/accounts/login/link/', { email: alice.email })
  await linkAfter(() => ask(browser), alice.email)
  clock.advance(901)
  const link = await linkAfter(() => ask(later), alice.email)
  assert.equal((await browser.post(link)).status, 403)
  assert.equal((await later.post(link)).status, 303)
})
