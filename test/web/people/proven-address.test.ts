/** Accounts belong to who proved the address: how others have tried to have one first, with a mailer and without. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, type TestContext, test } from 'node:test'
import { TOTP } from 'otpauth'
import { LINK_LASTS_MS, offerSignIn } from '../../../src/actions/people/sign-in/offer-sign-in.js'
import { createMailer } from '../../../src/lib/mail/mailer.js'
import type { Store } from '../../../src/storage/store.js'
import type { Visitor } from '../../_support/browser/visitor.js'
import { eventually } from '../../_support/eventually.js'
import { ownSession } from '../../_support/own-session.js'
import { listenLive } from '../../_support/servers/live-stream.js'
import { openMailServer } from '../../_support/servers/mail-server.js'
import {
  type Person as OpenIdPerson,
  openProvider,
  signInAt,
} from '../../_support/servers/openid-provider.js'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld, PASSWORD, type Person, type WebWorld } from '../../_support/worlds/web-world.js'

const provider = await openProvider(() => Date.now())
const app = {
  OPENID_ISSUER: provider.issuer,
  OPENID_CLIENT_ID: 'punctual',
  OPENID_CLIENT_SECRET: 'shared',
  OPENID_NAME: 'Example ID',
}
const post = await openMailServer({ after } as TestContext)
const mailing = await openWebWorld({ app, mailer: createMailer(post.options) })
const silent = await openWebWorld({ app })

const STOLEN = 'attackers own words'

/** Somebody whom the provider knows, with an address that it has verified. */
const verified = (name: string): OpenIdPerson => ({
  sub: name,
  email: `${name}@corp.example`,
  email_verified: true,
})

/** Signs in at the provider, and returns the browser that does so. */
async function throughProvider(world: WebWorld, person: OpenIdPerson): Promise<Visitor> {
  const visitor = world.stranger()
  const { page } = await signInAt(provider, visitor, person)
  assert.equal(page.status, 303, page.text)
  return visitor
}

/** Makes an invitation to a project, as anyone with an account can, and returns its path. */
async function invitationOf(world: WebWorld, inviter: Person, project: { uuid: string }, email = '') {
  const base = `/projects/${project.uuid}`
  await inviter.post(`${base}/invitations/add/`, { role: 'manager', email })
  const { text } = await inviter.get(`${base}/settings/`)
  return new RegExp(`${world.config.SITE_ROOT}(/accounts/invitations/[\\w-]+/)`).exec(text)![1]!
}

/** Makes an account by an invitation that was handed over, where no e-mail goes out. */
async function unprovenByInvitation(email: string): Promise<Visitor> {
  const { charlie, charlies } = silent
  const attacker = silent.stranger()
  const path = await invitationOf(silent, charlie, charlies)
  assert.equal((await attacker.post(path, { email, password: STOLEN })).status, 303)
  return attacker
}

/** Somebody signed in to an account whose address nobody has proven, made before e-mail went out. */
async function unprovenPerson(world: WebWorld, name: string): Promise<Person> {
  const person = await world.person(name)
  await world.raw(`UPDATE users SET email_proven_at = NULL WHERE id = ${person.id}`)
  return person
}

/** An event webhook to an address of whoever made it. */
async function addWebhook({ store, clock }: WebWorld, project: { id: number }): Promise<void> {
  const asked = { name: 'Mine', url: 'https://evil.example/', types: [], enabled: true }
  const made = { ...asked, uuid: randomUUID(), secret: 'sealed', by: null, now: clock.now() }
  await store.events.createWebhook(project.id, made)
}

const PROJECTS = '/api/punctual/v1/projects'

/** Makes an API token of the person who is signed in. */
async function ownToken(world: WebWorld, person: Visitor): Promise<{ token: string }> {
  const form = { name: 'Script', lifetime: 'never', scopes: ['checks:read'] }
  await person.get('/accounts/tokens/add/')
  const sent = await person.post('/accounts/tokens/add/', form)
  assert.equal(sent.status, 303, sent.text)
  const token = /pun_[0-9A-Za-z]{36}/.exec((await person.open(sent.location!.replace(/#.*/, ''))).text)![0]
  assert.equal((await world.get(PROJECTS, token)).status, 200)
  return { token }
}

/** The path of the link in the last mail to this address. */
async function linkTo(address: string, path: RegExp): Promise<string> {
  const found = () => {
    const mail = post.mails.filter(({ envelope }) => envelope.to[0] === address).at(-1)
    return mail && new RegExp(`http://localhost:8000(${path.source}\\S+/)`).exec(mail.text)?.[1]
  }
  await eventually(() => found() !== undefined)
  return found()!
}

/** Asks for a link to sign in and opens it. */
async function byLink(world: WebWorld, email: string): Promise<Visitor> {
  const visitor = world.stranger()
  await visitor.post('/accounts/login/link/', { email })
  const answer = await visitor.post(await linkTo(email, /\/accounts\/link\//))
  assert.equal(answer.status, 303, answer.text)
  await visitor.open('/accounts/profile/')
  return visitor
}

/** Whether the sign-in page is not asked for; the review of the account may be. */
const signedIn = async (visitor: Visitor) => (await visitor.get('/accounts/profile/')).status !== 302
const passwordOpens = async (world: WebWorld, email: string, password: string) =>
  (await world.stranger().post('/accounts/login/', { email, password })).status === 303

test('an invitation that was not mailed to an address mails a link there, and makes no account', async () => {
  const attacker = mailing.stranger()
  const path = await invitationOf(mailing, mailing.charlie, mailing.charlies)
  const answer = await attacker.post(path, { email: 'ceo@corp.example', password: STOLEN })
  assert.match(answer.text, /Check your e-mail/)
  assert.equal(await mailing.store.people.findUser('ceo@corp.example'), null)
  assert.equal(await signedIn(attacker), false)
  const link = await linkTo('ceo@corp.example', /\/accounts\/invitations\//)

  const owner = await throughProvider(mailing, verified('ceo'))
  assert.equal(await passwordOpens(mailing, 'ceo@corp.example', STOLEN), false)
  assert.equal(await signedIn(owner), true)
  assert.equal((await mailing.stranger().post(link, { password: STOLEN })).status, 409, 'there is an account')
})

test('the link that an invitation mails makes an account for that address alone, once, proven', async () => {
  const path = await invitationOf(mailing, mailing.charlie, mailing.charlies)
  await mailing.stranger().post(path, { email: 'Dora@corp.example' })
  const link = await linkTo('dora@corp.example', /\/accounts\/invitations\//)
  const dora = mailing.stranger()
  assert.match(wordsOf((await dora.get(link)).text), /The account will be created for dora@corp\.example/)
  const made = await dora.post(link, { email: 'ceo@corp.example', password: PASSWORD })
  assert.equal(made.location, `/projects/${mailing.charlies.uuid}/checks/`)
  const user = (await mailing.store.people.findUser('dora@corp.example'))!
  assert.equal((await mailing.store.people.signInFacts({ id: user.id }))!.emailProven, true)
  assert.equal((await mailing.stranger().get(link)).status, 410)
})

test('the link shown to the inviter proves nothing, also where the invitation was mailed', async () => {
  const path = await invitationOf(mailing, mailing.charlie, mailing.charlies, 'cto@corp.example')
  const mailed = await linkTo('cto@corp.example', /\/accounts\/invitations\//)
  assert.ok(mailed.startsWith(path) && mailed.length > path.length)
  const answer = await mailing.stranger().post(path, { email: 'cto@corp.example', password: STOLEN })
  assert.match(answer.text, /Check your e-mail/)
  assert.equal(await mailing.store.people.findUser('cto@corp.example'), null)
})

test('a link mailed for one invitation proves nothing with another, nor after it was withdrawn', async () => {
  const { charlie, charlies, alice, project, store } = mailing
  await invitationOf(mailing, charlie, charlies, 'former@corp.example')
  const mailed = await linkTo('former@corp.example', /\/accounts\/invitations\//)
  const proof = mailed.split('/').at(-2)!
  const other = await invitationOf(mailing, alice, project)
  const claim = async () => {
    const answer = await mailing
      .stranger()
      .post(`${other}${proof}/`, { email: 'former@corp.example', password: STOLEN })
    assert.match(answer.text, /Check your e-mail/)
    assert.equal(await store.people.findUser('former@corp.example'), null)
  }
  await claim()
  const invitations = await store.projects.listInvitations(charlies.id, mailing.clock.now())
  const { uuid } = invitations.find(({ email }) => email === 'former@corp.example')!
  await charlie.post(`/projects/${charlies.uuid}/invitations/${uuid}/withdraw/`)
  await claim()
})

test('a hand-over ends the invitations that the account made to projects of others', async () => {
  const squatter = await unprovenPerson(mailing, 'inviting')
  const { project, store, clock } = mailing
  await store.projects.putMember({ projectId: project.id, userId: squatter.id, role: 'manager', now: 1 })
  const path = await invitationOf(mailing, squatter, project)
  await byLink(mailing, squatter.email)
  assert.equal((await mailing.stranger().get(path)).status, 410)
  const left = await store.projects.listInvitations(project.id, clock.now())
  assert.ok(left.every(({ inviter }) => inviter !== squatter.email))
  await store.projects.removeMember(project.id, squatter.uuid, 1)
})

test('a made-up proof in an invitation’s link is like none', async () => {
  const path = await invitationOf(mailing, mailing.charlie, mailing.charlies)
  const answer = await mailing
    .stranger()
    .post(`${path}made-up/`, { email: 'x@corp.example', password: STOLEN })
  assert.match(answer.text, /Check your e-mail/)
  assert.equal(await mailing.store.people.findUser('x@corp.example'), null)
})

test('without a mailer, a proof at the provider ends all that an invited account had', async () => {
  const attacker = await unprovenByInvitation('ceo@corp.example')
  assert.equal(await signedIn(attacker), true)
  const owner = silent.stranger()
  const { page } = await signInAt(provider, owner, verified('ceo'))
  assert.equal(page.location, '/accounts/review/')
  assert.equal(await signedIn(owner), true)
  assert.equal(await signedIn(attacker), false)
  assert.equal(await passwordOpens(silent, 'ceo@corp.example', STOLEN), false)
  await owner.post('/projects/add/', { name: 'CEO secret project' })
  assert.equal((await attacker.get('/')).status, 302)
})

test('without a mailer the link of the operator hands over an account that another has made', async () => {
  const attacker = await unprovenByInvitation('cfo@corp.example')
  const { token } = await ownToken(silent, attacker)
  const user = (await silent.store.people.findUser('cfo@corp.example'))!
  const link = async () =>
    (await offerSignIn(silent.store, silent.clock, user.id, LINK_LASTS_MS.lostPassword)).path
  const owner = silent.stranger()
  assert.equal((await owner.post(await link())).location, '/accounts/review/')
  assert.equal(await signedIn(attacker), false)
  silent.clock.advance(1)
  assert.equal((await silent.get(PROJECTS, token)).status, 401)
  assert.equal(await passwordOpens(silent, user.email, STOLEN), false)
  await owner.open('/accounts/review/')
  assert.equal((await owner.post('/accounts/password/', { password: PASSWORD })).status, 303)
  // Now it is the owner's, who keeps the password.
  assert.equal((await silent.stranger().post(await link())).location, '/accounts/password/')
  assert.equal(await passwordOpens(silent, user.email, PASSWORD), true)
})

test('an operator’s link proves no address that the account gets while the link is opened', async () => {
  await unprovenByInvitation('mine@evil.example')
  const { id } = (await silent.store.people.findUser('mine@evil.example'))!
  const { path } = await offerSignIn(silent.store, silent.clock, id, LINK_LASTS_MS.lostPassword)
  const session = await ownSession(silent.store, { id }, silent.clock)
  const people: { -readonly [K in keyof Store['people']]: Store['people'][K] } = silent.store.people
  const { signInFacts } = people
  let hasMoved = false
  people.signInFacts = async who => {
    if (!hasMoved && 'id' in who && who.id === id) {
      hasMoved = true
      await people
        .setEmail({ ...session, email: 'victim@corp.example', provenAt: null, now: 3 })
        .catch(() => {})
    }
    return await signInFacts(who)
  }
  await silent.stranger().post(path)
  people.signInFacts = signInFacts
  assert.equal(hasMoved, true)
  const moved = await people.signInFacts({ email: 'victim@corp.example' })
  assert.ok(!moved?.emailProven, 'nobody has proven it')
})

test('without a mailer the same holds for an account that was signed up for', async () => {
  const attacker = silent.stranger()
  await attacker.post('/accounts/signup/', { email: 'coo@corp.example', password: STOLEN })
  assert.equal(await signedIn(attacker), true)
  await throughProvider(silent, verified('coo'))
  assert.equal(await signedIn(attacker), false)
  assert.equal(await passwordOpens(silent, 'coo@corp.example', STOLEN), false)
})

test('an account that moved to another’s address goes to the person who proves it', async () => {
  const mallory = await silent.person('mallory')
  const { secret } = await setUpApp(mallory)
  await mallory.post('/accounts/email/', { email: 'ciso@corp.example' })
  await throughProvider(silent, verified('ciso'))
  assert.equal(await signedIn(mallory), false)
  assert.equal(await passwordOpens(silent, 'ciso@corp.example', PASSWORD), false)
  const facts = (await silent.store.people.signInFacts({ email: 'ciso@corp.example' }))!
  assert.deepEqual(
    [facts.passwordHash, facts.totpSecret, facts.recoveryCodes, facts.emailProven],
    [null, null, 0, true],
  )
  assert.ok(secret)
})

/** Sets an authenticator app up. */
async function setUpApp(person: Visitor): Promise<{ secret: string }> {
  const page = await person.get('/accounts/totp/')
  const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(page.text)![1]!
  const code = new TOTP({ secret }).generate({ timestamp: silent.clock.now() })
  assert.equal((await person.post('/accounts/totp/', { secret, code })).status, 200)
  return { secret }
}

test('an identity whose address is not verified makes no account, and the owner signs up', async () => {
  const visitor = mailing.stranger()
  const claimed = { sub: 'attacker', email: 'cfo@corp.example', email_verified: false }
  assert.equal((await signInAt(provider, visitor, claimed)).page.status, 401)
  assert.equal(await mailing.store.people.findUser('cfo@corp.example'), null)
  const owner = mailing.stranger()
  await owner.post('/accounts/signup/', { email: 'cfo@corp.example' })
  const link = await linkTo('cfo@corp.example', /\/accounts\/signup\//)
  assert.equal((await owner.post(link, { password: PASSWORD })).status, 303)
  assert.equal((await signInAt(provider, mailing.stranger(), claimed)).page.status, 401)
})

test('a planted identity ends when the owner comes by a mailed link', async () => {
  const planted = await unprovenPerson(mailing, 'planted')
  const attacker = { sub: 'planter', email: planted.email, email_verified: false }
  await mailing.store.people.noteIdentity({
    issuer: provider.issuer,
    subject: attacker.sub,
    userId: planted.id,
    accountEmail: planted.email,
    credentialsVersion: 0,
    email: null,
    now: 1,
  })
  const inside = await throughProvider(mailing, attacker)
  const owner = mailing.stranger()
  await owner.post('/accounts/signup/', { email: planted.email })
  const answer = await owner.post(await linkTo(planted.email, /\/accounts\/link\//))
  assert.equal(answer.location, '/accounts/review/')
  for (const browser of [planted, inside]) assert.equal(await signedIn(browser), false)
  assert.equal((await signInAt(provider, mailing.stranger(), attacker)).page.status, 401)
  assert.equal(await passwordOpens(mailing, planted.email, PASSWORD), false)
  const told = post.mails.filter(({ envelope }) => envelope.to[0] === planted.email).at(-1)!
  assert.match(told.text, /every password, second step, session, API token and invitation.*has ended/s)
})

test('the next sign-in at the provider ends a password that others have since before', async () => {
  const shared = await unprovenPerson(mailing, 'shared')
  const person = { sub: 'shared', email: shared.email, email_verified: true }
  const identity = { issuer: provider.issuer, subject: person.sub, userId: shared.id }
  await mailing.store.people.noteIdentity({
    ...identity,
    accountEmail: shared.email,
    credentialsVersion: 0,
    email: null,
    now: 1,
  })
  const owner = mailing.stranger()
  for (const when of ['at first', 'again, as it was not seen']) {
    const { page } = await signInAt(provider, owner, person)
    assert.equal(page.location, '/accounts/review/', when)
  }
  assert.equal((await owner.get('/accounts/review/')).status, 200)
  assert.equal(await signedIn(shared), false)
  assert.equal(await passwordOpens(mailing, shared.email, PASSWORD), false)
  assert.equal(
    (await signInAt(provider, mailing.stranger(), person)).page.location,
    '/',
    'the identity stays',
  )
})

test('a member is told of ten offers an hour at most', async () => {
  const { alice, bob, project } = mailing
  const statuses: number[] = []
  for (let n = 0; n < 11; n++) {
    statuses.push((await alice.post(`/projects/${project.uuid}/transfer/`, { member: bob.uuid })).status)
    await alice.post(`/projects/${project.uuid}/transfer/cancel/`)
  }
  assert.deepEqual(statuses, [...Array(10).fill(303), 429])
})

test('identities are removed on the profile, and end with a password that was lost', async () => {
  const user = await mailing.person('two-ways')
  const person = { sub: 'two-ways', email: user.email, email_verified: true }
  await throughProvider(mailing, person)
  await eventually(() => /Example ID now signs in to your/.test(post.mails.at(-1)!.headers.subject!))
  const page = await user.get('/accounts/profile/')
  assert.match(wordsOf(page.text), /Example ID\s*two-ways@example\.org\s*Used/)
  const form = { issuer: provider.issuer, subject: person.sub }
  assert.equal((await mailing.charlie.post('/accounts/identities/remove/', form)).status, 404)
  assert.equal((await mailing.store.people.listIdentities(user.id)).length, 1)
  await user.post('/accounts/identities/remove/', form)
  assert.deepEqual(await mailing.store.people.listIdentities(user.id), [])

  await throughProvider(mailing, person)
  await user.post('/accounts/password/', { password: 'battery staple', current: PASSWORD })
  assert.equal((await mailing.store.people.listIdentities(user.id)).length, 1, 'it was not lost')
  const recovered = await byLink(mailing, user.email)
  const changed = await recovered.post('/accounts/password/', { password: 'staple battery' })
  assert.equal(changed.status, 303, changed.text)
  assert.deepEqual(await mailing.store.people.listIdentities(user.id), [])
})

test('API tokens of a person end with a password that was lost, and not with one that is changed', async () => {
  const user = await mailing.person('scripted')
  const { token } = await ownToken(mailing, user)
  const status = async () => (await mailing.get(PROJECTS, token)).status
  await user.post('/accounts/password/', { password: 'battery staple', current: PASSWORD })
  assert.equal(await status(), 200)
  const recovered = await byLink(mailing, user.email)
  const changed = await recovered.post('/accounts/password/', { password: 'staple battery' })
  assert.match(
    (await recovered.open(changed.location!)).text,
    /sessions, links to providers, API tokens and invitations/,
  )
  mailing.clock.advance(1)
  assert.equal(await status(), 401)
})

test('a proven account that is entered by a link keeps its password and its second step', async () => {
  const user = await mailing.person('keeper')
  await byLink(mailing, user.email)
  assert.equal(await signedIn(user), true)
  assert.equal(await passwordOpens(mailing, user.email, PASSWORD), true)
})

test('the owner sees and ends the access of others to projects that came with the account', async () => {
  const attacker = await unprovenPerson(mailing, 'founder')
  const second = await mailing.person('second-account')
  const project = await mailing.projectOf(attacker, 'Trojan')
  await mailing.store.projects.putMember({
    projectId: project.id,
    userId: second.id,
    role: 'manager',
    now: 1,
  })
  const own = await invitationOf(mailing, attacker, project)
  await second.post(`/projects/${project.uuid}/invitations/add/`, { role: 'manager', email: '' })
  await attacker.post(`/projects/${project.uuid}/keys/add/`, { kind: 'rw' })
  await addWebhook(mailing, project)
  await mailing.store.projects.putMember({
    projectId: mailing.charlies.id,
    userId: attacker.id,
    role: 'member',
    now: 1,
  })

  const owner = await byLink(mailing, attacker.email)
  const page = await owner.get('/accounts/review/')
  assert.match(wordsOf(page.text), /second-account@example\.org1 invitation1 API key1 event webhook/)
  assert.equal((await mailing.stranger().get(own)).status, 410, 'that of the account has ended')
  assert.equal((await owner.post('/accounts/review/')).status, 303)
  assert.match((await owner.get('/accounts/review/')).text, /Only you/)
  assert.deepEqual(await mailing.store.events.webhooks(project.id), [])
  assert.equal((await second.get(`/projects/${project.uuid}/checks/`)).status, 404)
  assert.equal((await owner.get(`/projects/${project.uuid}/checks/`)).status, 200)
  assert.equal(
    (await mailing.store.projects.listMembers(mailing.project.id)).length,
    4,
    'nobody else’s projects',
  )
})

test('a hand-over ends the reports that the one before chose, and shows what they joined', async () => {
  const { store, charlies } = mailing
  const squatter = await unprovenPerson(mailing, 'joiner')
  await store.reports.setWishes(squatter.uuid, { reports: 'daily', nagSeconds: 3_600 })
  await store.projects.putMember({ projectId: charlies.id, userId: squatter.id, role: 'member', now: 1 })
  const owner = await byLink(mailing, squatter.email)
  assert.deepEqual(await store.reports.wishes(squatter.id), { reports: 'monthly', nagSeconds: 0 })
  const page = await owner.get('/accounts/review/')
  assert.match(wordsOf(page.text), /Projects of others.*Charlie.*Member.*Leave/s)
  const left = await owner.post(`/projects/${charlies.uuid}/leave/`, { next: '/accounts/review/' })
  assert.equal(left.location, '/accounts/review/')
  assert.doesNotMatch(wordsOf((await owner.get('/accounts/review/')).text), /Projects of others/)
  assert.equal((await owner.get(`/projects/${charlies.uuid}/checks/`)).status, 404)
})

test('the way back into an account that was moved ends with it', async () => {
  const attacker = await unprovenPerson(mailing, 'boomerang')
  await attacker.post('/accounts/email/', { email: 'mallory@evil.example' })
  const link = await linkTo('mallory@evil.example', /\/accounts\/email\/confirm\//)
  await byLink(mailing, attacker.email)
  assert.equal((await attacker.post(link)).status, 302, 'signed out')
  assert.equal((await mailing.charlie.get(link)).status, 410)
  assert.equal(await mailing.store.people.findUser('mallory@evil.example'), null)
})

test('an own address is confirmed by a link in a session of the account, and nothing ends', async () => {
  const user = await unprovenPerson(mailing, 'settled')
  assert.match((await user.get('/accounts/profile/')).text, /Not confirmed/)
  await user.post('/accounts/email/', { email: user.email })
  const link = await linkTo(user.email, /\/accounts\/email\/confirm\//)
  assert.equal((await mailing.stranger().get(link)).status, 302)
  assert.equal((await mailing.bob.post(link)).status, 410)
  assert.match((await user.get('/accounts/profile/')).text, /Not confirmed/)
  assert.equal((await user.post(link)).status, 303)
  assert.doesNotMatch((await user.get('/accounts/profile/')).text, /Not confirmed/)
  await byLink(mailing, user.email)
  assert.equal(await signedIn(user), true)
})

test('without a mailer an own address that is typed again stays proven, and nothing ends', async () => {
  const owner = await throughProvider(silent, verified('again'))
  const { token } = await ownToken(silent, owner)
  const sent = await owner.post('/accounts/email/', { email: 'Again@corp.example' })
  assert.equal(sent.status, 303, sent.text)
  const { page: next } = await signInAt(provider, silent.stranger(), verified('again'))
  assert.notEqual(next.location, '/accounts/review/')
  silent.clock.advance(1)
  assert.equal((await silent.get(PROJECTS, token)).status, 200)
  const page = wordsOf((await owner.open('/accounts/profile/')).text)
  assert.match(page, /Your address is again@corp\.example now\./)
  assert.doesNotMatch(page, /have ended|Not confirmed/)
})

test('a link that confirms an address works once, also if it is opened several times at once', async () => {
  const user = await mailing.person('hasty')
  await user.post('/accounts/email/', { email: 'hastier@corp.example' })
  const link = await linkTo('hastier@corp.example', /\/accounts\/email\/confirm\//)
  const answers = await Promise.all(Array.from({ length: 5 }, () => user.post(link)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 410, 410, 410, 410])
})

test('an e-mail channel to an own address that is not proven has to be confirmed', async () => {
  const attacker = await unprovenPerson(mailing, 'boss')
  const project = await mailing.projectOf(attacker, 'Mine')
  const added = await attacker.post(`/projects/${project.uuid}/integrations/add/email/`, {
    channel_name: '',
    value: attacker.email,
    down: 'true',
    up: 'true',
  })
  const uuid = /\/integrations\/([0-9a-f-]{36})\//.exec(added.location!)![1]!
  assert.equal((await mailing.store.channels.find(uuid))!.confirmed, false)
  const before = post.mails.filter(({ envelope }) => envelope.to[0] === attacker.email).length
  for (let n = 0; n < 3; n++) await attacker.post(`/integrations/${uuid}/test/`)
  assert.equal((await mailing.store.channels.find(uuid))!.lastError, 'Email not verified')
  const after = post.mails.filter(({ envelope }) => envelope.to[0] === attacker.email).length
  assert.equal(after - before, 0)
})

test('who is signed in with another address sees whom an invitation was sent to', async () => {
  const { charlie, charlies, alice } = silent
  const others = await invitationOf(silent, charlie, charlies, 'erin@example.org')
  assert.match(wordsOf((await alice.get(others)).text), /sent to erin@example\.org/)
  assert.match((await alice.get(others)).text, new RegExp(`Join as ${alice.email}`))
  const own = await invitationOf(silent, charlie, charlies, alice.email)
  assert.notEqual(own, others)
  assert.doesNotMatch(wordsOf((await alice.get(own)).text), /sent to/)
})

test('what an unproven account has mailed to others does not name its address', async () => {
  const attacker = await unprovenPerson(mailing, 'chairman')
  const project = await mailing.projectOf(attacker, 'Mine')
  const at = `/projects/${project.uuid}`
  await attacker.post(`${at}/invitations/add/`, { role: 'member', email: 'invited@victim.example' })
  const value = 'alerted@victim.example'
  await attacker.post(`${at}/integrations/add/email/`, { channel_name: '', value, down: 'true', up: 'true' })
  await attacker.post('/accounts/email/', { email: 'moved@victim.example' })
  const mails = post.mails.filter(({ envelope }) => envelope.to[0]!.endsWith('@victim.example'))
  assert.equal(mails.length, 3)
  for (const { text, html } of mails) assert.doesNotMatch(text + html, /chairman/)
})

test('twenty tests of a channel an hour are enough, for those who only read too', async () => {
  const { alice, rita, project } = mailing
  const added = await alice.post(`/projects/${project.uuid}/integrations/add/email/`, {
    channel_name: '',
    value: alice.email,
    down: 'true',
  })
  for (const person of [rita, alice]) {
    const statuses: number[] = []
    for (let n = 0; n < 21; n++) statuses.push((await person.post(`${added.location}test/`)).status)
    assert.deepEqual(statuses, [...Array(20).fill(303), 429])
  }
})

test('a live page of the one before ends when the account is handed over', async () => {
  const attacker = await unprovenPerson(mailing, 'live')
  await mailing.projectOf(attacker, 'Live')
  const stream = await listenLive(mailing.root, attacker, '/live/')
  after(stream.close)
  await stream.event()
  // Handled from the start: the stream may end before the answer to the link is here.
  const ended = assert.rejects(async () => {
    for (;;) await stream.event()
  }, /the stream ended/)
  let told = false
  after(
    mailing.changes.on('access', () => {
      told = true
    }),
  )
  await byLink(mailing, attacker.email)
  assert.ok(told)
  await ended
  const notice = /every password, second step, session, API token and invitation/
  await eventually(() =>
    post.mails.some(({ envelope, text }) => envelope.to[0] === attacker.email && notice.test(text)),
  )
})

test('to an account that is disabled nothing is written and nothing is mailed', async () => {
  const { store, clock } = mailing
  for (const isProven of [true, false]) {
    const name = `disabled-${isProven}`
    const email = `${name}@corp.example`
    const passwordHash = 'hash'
    const user = await store.people.createUser({ email, passwordHash, emailProven: isProven, now: 1 })
    await store.people.setDisabled(user.id, clock.now())
    const { page } = await signInAt(provider, mailing.stranger(), verified(name), '')
    assert.equal(page.status, 401)
    assert.match(page.text, /his account is disabled: ask the operator/)
    assert.equal(await store.people.handOverAccount({ userId: user.id, email, now: clock.now() }), null)
    assert.deepEqual(await store.people.listIdentities(user.id), [])
    const facts = await store.people.signInFacts({ id: user.id })
    assert.deepEqual([facts!.passwordHash, facts!.emailProven], ['hash', isProven])
    await mailing.stranger().post('/accounts/login/link/', { email })
    await mailing.stranger().post('/accounts/signup/', { email })
  }
  // A mail that is asked for later has come: those would have come before.
  await mailing.stranger().post('/accounts/login/link/', { email: mailing.bob.email })
  await linkTo(mailing.bob.email, /\/accounts\/link\//)
  assert.deepEqual(
    post.mails.filter(({ envelope }) => /^disabled-/.test(envelope.to[0]!)),
    [],
  )
})
