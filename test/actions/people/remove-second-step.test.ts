import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeRecoveryCodes } from '../../../src/actions/people/make-recovery-codes.js'
import { removeSecondStep } from '../../../src/actions/people/remove-second-step.js'
import { beginSession } from '../../../src/actions/people/sign-in/begin-session.js'
import { digestOf } from '../../../src/lib/secrets/secrets.js'
import { FakeClock } from '../../_support/clock.js'
import { openTestStore } from '../../_support/worlds/store.js'

test('removing a lost second step removes all of it, and nothing of other people', async t => {
  const store = await openTestStore(t)
  const [alice, bob] = [await person('alice@example.org'), await person('bob@example.org')]
  const passkey = { credentialId: 'key', publicKey: new Uint8Array([1]), counter: 0, transports: [] }
  await store.people.addPasskey({
    ...passkey,
    userId: alice.id,
    sessionId: alice.sessionId,
    name: 'Key',
    now: 1,
  })
  assert.deepEqual(await removeSecondStep(store, 'Alice@Example.org'), { app: true, passkeys: 1 })
  assert.deepEqual(await removeSecondStep(store, 'alice@example.org'), { app: false, passkeys: 0 })
  const facts = await store.people.signInFacts({ id: alice.id })
  assert.deepEqual([facts!.totpSecret, facts!.passkeys, facts!.recoveryCodes], [null, 0, 0])
  const others = await store.people.signInFacts({ id: bob.id })
  assert.deepEqual([others!.totpSecret, others!.recoveryCodes], ['SECRET', 10])
  await assert.rejects(removeSecondStep(store, 'nobody@example.org'), /there is no user with the address/)

  async function person(email: string) {
    const user = await store.people.createUser({ email, passwordHash: null, now: 1 })
    const clock = new FakeClock()
    const token = await beginSession(store, clock, {
      user,
      method: 'password',
      visitor: { ua: '', address: '' },
    })
    const { sessionId } = (await store.people.findSession(digestOf(token), clock.now()))!
    const session = { userId: user.id, sessionId }
    await store.people.setTotp({ ...session, secret: 'SECRET' })
    await makeRecoveryCodes(store, session)
    return { ...user, sessionId }
  }
})
