/** E-mails to a former address, which come back while the address is changed: the reports to the new one go on. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { noteBounce } from '../../../src/actions/alerts/note-bounce.js'
import { beginSession } from '../../../src/actions/people/sign-in/begin-session.js'
import {
  unsubscribeReports,
  unsubscribeReportsPath,
} from '../../../src/actions/reports/unsubscribe-reports.js'
import { bounceToken } from '../../../src/lib/mail/bounce-token.js'
import { digestOf } from '../../../src/lib/secrets/secrets.js'
import { FakeClock } from '../../_support/clock.js'
import { openTestStore } from '../../_support/worlds/store.js'

const clock = new FakeClock()
const secretKeys = ['a key of tests']
const wanted = { reports: 'daily', nagSeconds: 3600 } as const

/** A person, and what changes their address as soon as somebody has read it. */
async function moving(t: TestContext) {
  const store = await openTestStore(t)
  const email = 'before@example.org'
  const now = clock.now()
  const user = await store.people.createUser({ email, passwordHash: null, emailProven: true, now })
  await store.reports.setWishes(user.uuid, wanted)
  const visitor = { ua: '', address: '' }
  const token = await beginSession(store, clock, { user, method: 'link', visitor })
  const { sessionId } = (await store.people.findSession(digestOf(token), now))!
  const move = (provenAt: number) =>
    store.people.setEmail({ userId: user.id, sessionId, email: 'after@example.org', provenAt, now: 3 })
  const findUserByUuid = async (uuid: string) => {
    const found = await store.people.findUserByUuid(uuid)
    clock.advance(60)
    await move(clock.now())
    return found
  }
  return { store, user, move, hurried: { ...store, people: { ...store.people, findUserByUuid } } }
}

const bounceOf = (userUuid: string) => ({
  to: `${bounceToken(secretKeys[0]!, `r.${userUuid}`, clock.now())}@bounces.example.org`,
  text: 'Action: failed\nStatus: 5.1.1\n',
})
const site = { name: 'Punctual', root: 'http://localhost:8000' }
const deps = { site, secretKeys, onBounce() {}, envelopeTemplate: '%s@bounces.example.org' }

test('a link to stop reports does nothing if the address changes after it was read', async t => {
  const { store, user, hurried } = await moving(t)
  const path = unsubscribeReportsPath(secretKeys[0]!, { userUuid: user.uuid, email: user.email })
  const link = { userUuid: user.uuid, signature: path.split('/').at(-2)! }
  assert.equal(await unsubscribeReports(hurried, secretKeys, link), false)
  assert.deepEqual(await store.reports.wishes(user.id), wanted)
})

test('a bounce stops no reports if the address changes after the account was read', async t => {
  const { store, user, hurried } = await moving(t)
  assert.equal(await noteBounce({ ...deps, store: hurried }, bounceOf(user.uuid), clock.now()), 'ignored')
  assert.deepEqual(await store.reports.wishes(user.id), wanted)
})

test('a bounce of an e-mail stops no reports to an address that was proven in the same second', async t => {
  const { store, user, move } = await moving(t)
  const bounce = bounceOf(user.uuid)
  await move(clock.now() + 1)
  assert.equal(await noteBounce({ ...deps, store }, bounce, clock.now()), 'ignored')
  assert.deepEqual(await store.reports.wishes(user.id), wanted)
})
