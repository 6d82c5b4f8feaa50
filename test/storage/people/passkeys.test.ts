import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginSession } from '../../../src/actions/people/sign-in/begin-session.js'
import { digestOf } from '../../../src/lib/secrets/secrets.js'
import { FakeClock } from '../../_support/clock.js'
import { openFreshStore } from '../../_support/worlds/store.js'

test('a use counts only while the passkey is there, and only once with the same counter', async t => {
  const { store, remove } = await openFreshStore()
  t.after(remove)
  const clock = new FakeClock()
  const now = clock.now()
  const { people } = store
  const asked = { passwordHash: null, emailProven: true, now }
  const user = await people.createUser({ ...asked, email: 'alice@example.org' })
  const other = await people.createUser({ ...asked, email: 'bob@example.org' })
  const visitor = { ua: 'node', address: '127.0.0.1' }
  const session = digestOf(await beginSession(store, clock, { user, method: 'password', visitor }))
  const { sessionId } = (await people.findSession(session, now))!
  const passkey = {
    credentialId: 'one',
    publicKey: new Uint8Array(1),
    counter: 0,
    transports: [],
    name: 'Key',
  }
  await people.addPasskey({ ...passkey, userId: user.id, sessionId, now })
  const use = (counter: number, userId = user.id) =>
    people.notePasskeyUse({ userId, credentialId: 'one', counter, now })

  assert.equal(await use(0), true)
  assert.equal(await use(7), true)
  assert.equal(await use(7), false)
  assert.equal(await use(0), false)
  assert.equal(await use(8, other.id), false)
  const [stored] = await people.listPasskeys(user.id)
  await people.removePasskey(user.id, stored!.uuid)
  assert.equal(await use(8), false)
})
