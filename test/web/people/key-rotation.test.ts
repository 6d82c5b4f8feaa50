import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { unsubscribePath } from '../../../src/actions/channels/unsubscribe.js'
import { unsubscribeReportsPath } from '../../../src/actions/reports/unsubscribe-reports.js'
import { SESSION_COOKIE } from '../../../src/http/web/people/session.js'
import { createMailer } from '../../../src/lib/mail/mailer.js'
import { badgeSignature } from '../../../src/lib/secrets/badge-signature.js'
import { digestOf } from '../../../src/lib/secrets/secrets.js'
import { newTotpSecret } from '../../../src/lib/secrets/totp.js'
import type { Visitor } from '../../_support/browser/visitor.js'
import { openMailServer } from '../../_support/servers/mail-server.js'
import { openProvider, signInAt } from '../../_support/servers/openid-provider.js'
import { openWebWorld, PASSWORD } from '../../_support/worlds/web-world.js'

const post = await openMailServer({ after } as TestContext)
const provider = await openProvider(() => Date.now())
const world = await openWebWorld({
  mailer: createMailer(post.options),
  app: { OPENID_ISSUER: provider.issuer, OPENID_CLIENT_ID: 'punctual', OPENID_CLIENT_SECRET: 'shared' },
})
const { alice, bob, project, store, clock, stranger } = world

/** The keys that the server has from now on. */
function setKeys(current: string, previous = ''): void {
  Object.assign(world.config, { SECRET_KEY: current, SECRET_KEY_PREVIOUS: previous })
}

async function emailChannel(): Promise<string> {
  const form = { channel_name: '', value: 'ops@example.net', down: 'true', up: 'true' }
  const { location } = await alice.post(`/projects/${project.uuid}/integrations/add/email/`, form)
  return /\/integrations\/([0-9a-f-]{36})\//.exec(location!)![1]!
}

const opens = async (path: string) => !/Incorrect link/.test((await stranger().get(path)).text)

/** A visitor of an account with a second step, who has taken the first. */
async function halfWay(): Promise<Visitor> {
  const sessionDigest = digestOf(bob.cookies.get(SESSION_COOKIE)!)
  const { sessionId } = (await store.people.findSession(sessionDigest, clock.now()))!
  await store.people.setTotp({ userId: bob.id, sessionId, secret: await newTotpSecret() })
  const visitor = stranger()
  await visitor.post('/accounts/login/', { email: bob.email, password: PASSWORD })
  return visitor
}

/** Each begins something with the key of the time; the answer is whether it is accepted later. */
const USES: [what: string, begin: () => Promise<() => Promise<boolean>>][] = [
  [
    'a link that stops alerts',
    async () => {
      const path = unsubscribePath(world.config.SECRET_KEY, await emailChannel(), 'ops@example.net')
      return () => opens(path)
    },
  ],
  [
    'a link that stops reports',
    async () => {
      const path = unsubscribeReportsPath(world.config.SECRET_KEY, {
        userUuid: alice.uuid,
        email: alice.email,
      })
      return () => opens(path)
    },
  ],
  [
    'a link that confirms an address',
    async () => {
      await emailChannel()
      const link = /http:\/\/localhost:8000(\/integrations\/\S+\/verify\/\S+)/.exec(
        post.mails.at(-1)!.text,
      )![1]!
      return () => opens(link)
    },
  ],
  [
    'a badge',
    async () => {
      await store.checks.create(project.id, {
        changes: { name: 'x', tags: 'db' },
        unique: null,
        now: clock.now(),
      })
      const { badgeKey } = (await store.people.projectAccess(alice.id, project.uuid))!
      const path = `/badge/${badgeKey}/${badgeSignature(badgeKey, world.config.SECRET_KEY, 'db')}/db.svg`
      return async () => (await world.send('GET', path)).status === 200
    },
  ],
  [
    'a form that was open',
    async () => {
      await alice.get('/projects/add/')
      return async () => (await alice.post('/projects/add/', { name: 'Rotation' })).status === 303
    },
  ],
  [
    'the first step of a sign-in',
    async () => {
      const visitor = await halfWay()
      return async () => (await visitor.get('/accounts/login/second/')).status === 200
    },
  ],
]

for (const [what, begin] of USES) {
  test(`${what} outlives a change of the key while the key before is set, and no longer`, async () => {
    setKeys('the first key')
    const isAccepted = await begin()
    assert.equal(await isAccepted(), true, 'with its own key')
    const [kept, dropped] = [await begin(), await begin()]
    setKeys('the second key', 'the first key')
    assert.equal(await kept(), true, 'with the key before')
    setKeys('the second key')
    assert.equal(await dropped(), false, 'without the key before')
  })
}

test('a sign-in at a provider that began before a change of the key is finished after it', async () => {
  const person = { sub: 'dora-1', email: 'dora@example.org', email_verified: true }
  setKeys('the first key')
  const visitor = stranger()
  const away = visitor.get.bind(visitor)
  // Between the way out and the way back.
  visitor.get = async (path, headers) => {
    const page = await away(path, headers)
    if (path.startsWith('/accounts/openid/?') || path === '/accounts/openid/')
      setKeys('the second key', 'the first key')
    return page
  }
  const { page } = await signInAt(provider, visitor, person, '')
  assert.equal(world.config.SECRET_KEY, 'the second key')
  assert.equal(page.status, 303, page.text)
})

test('what is made while the key before is set bears the new key', async () => {
  setKeys('the second key', 'the first key')
  await emailChannel()
  const link = /http:\/\/localhost:8000(\/integrations\/\S+\/verify\/\S+)/.exec(post.mails.at(-1)!.text)![1]!
  setKeys('the second key')
  assert.equal(await opens(link), true)
})
