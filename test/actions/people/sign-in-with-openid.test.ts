import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginSession } from '../../../src/actions/people/sign-in/begin-session.js'
import { signInWithOpenId } from '../../../src/actions/people/sign-in/sign-in-with-openid.js'
import { digestOf } from '../../../src/lib/secrets/secrets.js'
import type { Store } from '../../../src/storage/store.js'
import { FakeClock } from '../../_support/clock.js'
import { openTestStore } from '../../_support/worlds/store.js'

test('an address that is changed away and back during a sign-in does not evade the hand-over', async t => {
  const store = await openTestStore(t)
  const clock = new FakeClock()
  const email = 'victim@example.org'
  const user = await store.people.createUser({ email, passwordHash: 'of the attacker', now: 1 })
  const visitor = { ua: 'node', address: '127.0.0.1' }
  const token = await beginSession(store, clock, { user, method: 'password', visitor })
  const { sessionId } = (await store.people.findSession(digestOf(token), clock.now()))!
  const moveTo = (to: string) =>
    store.people.setEmail({ userId: user.id, sessionId, email: to, provenAt: null, now: 3 })
  const handOverAccount: Store['people']['handOverAccount'] = async asked => {
    await moveTo('elsewhere@example.org')
    const ended = await store.people.handOverAccount(asked)
    await moveTo(email)
    return ended
  }
  const deps = {
    clock,
    mailer: null,
    site: { name: 'Punctual', root: 'http://localhost:8000' },
    changes: { emit() {} },
    onError: assert.fail,
    mayRegister: false,
    provider: 'The provider',
  }
  const person = { issuer: 'i', subject: 's', email, emailVerified: true }
  const hurried = { ...store, people: { ...store.people, handOverAccount } }
  await assert.rejects(
    signInWithOpenId({ ...deps, store: hurried }, person),
    /the account was changed in the meantime/,
  )
  assert.equal(await store.people.findByIdentity('i', 's'), null, 'no identity is added to it')
  const { handedOver } = await signInWithOpenId({ ...deps, store }, person)
  assert.equal(handedOver, true)
  assert.equal((await store.people.signInFacts({ id: user.id }))!.passwordHash, null)
})
