import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginSession } from '../../../src/actions/people/sign-in/begin-session.js'
import { FakeClock } from '../../_support/clock.js'
import { CommitBarrier } from '../../_support/commit-barrier.js'
import { ownSession } from '../../_support/own-session.js'
import { engine } from '../../_support/worlds/store.js'
import { openTwoStores } from '../../_support/worlds/two-stores.js'

test('an address that two people get at the same moment goes to the first', {
  skip: engine !== 'postgres',
}, async t => {
  const { database, store, other } = await openTwoStores(t)
  const clock = new FakeClock()
  const sessions = []
  for (const email of ['first@example.org', 'second@example.org']) {
    const user = await store.people.createUser({ email, passwordHash: 'hash', now: 1 })
    await beginSession(store, clock, {
      user,
      method: 'password',
      visitor: { ua: 'node', address: '127.0.0.1' },
    })
    sessions.push(await ownSession(store, user, clock))
  }
  const change = { email: 'both@example.org', provenAt: 2, now: 3 }
  const barrier = await CommitBarrier.raise(database.directUrl, 'users', 'UPDATE')
  try {
    const first = other.people.setEmail({ ...sessions[0]!, ...change })
    await barrier.waiting(1)
    const second = store.people.setEmail({ ...sessions[1]!, ...change })
    const refused = assert.rejects(second, { code: 'conflict', message: /there is an account with both@/ })
    await barrier.waiting(2)
    await barrier.open()
    await Promise.all([first, refused])
  } finally {
    await barrier.remove()
  }
  assert.equal((await store.people.findUser('both@example.org'))!.id, sessions[0]!.userId)
  assert.equal((await store.people.findUser('second@example.org'))!.id, sessions[1]!.userId)
})
