/** What alerts need while requests use all of their connections. Decision 0112. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { LockedRows } from '../../_support/worlds/locked-rows.js'

test('what alerts need does not wait for the reads of requests', async t => {
  const world = await LockedRows.open(t)
  const { alice, store } = world
  await alice.ping('backup')
  const channel = await alice.addChannel('A')
  const [row] = await world.query('SELECT id::int4 FROM checks')
  const id = Number(row!.id)
  const unlock = await world.lockTable('silences')
  let ended = 0
  const reads = Array.from({ length: 20 }, () =>
    store.silences.list(alice.projectId, alice.now).then(() => ended++),
  )
  assert.deepEqual(await store.alerts.channelsOfCheck(id), [channel.uuid])
  assert.deepEqual(await store.alerts.recipientFacts(channel.uuid, 'a@example.org'), { timeZone: null })
  assert.equal(await store.alerts.takeFromLimits([{ key: 'a', capacity: 1, periodMs: 1_000 }], alice.now), 0)
  assert.equal(await store.pings.largeBody(id, 1), null)
  assert.equal(ended, 0)
  await unlock()
  await Promise.all(reads)
})

test('e-mails to people do not wait for what requests read and write', async t => {
  const world = await LockedRows.open(t)
  const { alice, store } = world
  const { now, projectId } = alice
  const { id } = await store.people.createUser({ email: 'alice@example.org', passwordHash: 'hash', now })
  await world.query(`INSERT INTO mails (uuid, user_id, kind, subject, text, html, unsubscribe_url, due_at, created_at)
    VALUES ('${randomUUID()}', ${id}, 'report', '', '', '', '', ${now}, ${now})`)
  await world.query(`UPDATE users SET email_proven_at = ${now}`)
  const unlock = await world.lockTable('silences')
  let ended = 0
  const asked = Array.from({ length: 20 }, () => [
    store.silences.list(projectId, now).then(() => ended++),
    store.silences.prune(now).then(() => ended++),
  ])
  const worker = 'worker'
  const [due] = await store.people.dueMails({ now, after: null, limit: 10 })
  const claim = { worker, now, leaseUntil: now + 60_000, ids: [due!.id] }
  const [mail] = await store.people.claimMails(claim)
  assert.deepEqual(await store.people.mailClaimants(), [worker])
  await store.people.releaseMails([worker], now)
  assert.equal((await store.people.claimMails(claim)).length, 1)
  assert.equal(await store.people.settleMail({ worker, uuid: mail!.uuid, outcome: 'sent', now }), true)
  await store.people.noteMailsWork()
  assert.equal(ended, 0)
  await unlock()
  await Promise.all(asked.flat())
})
