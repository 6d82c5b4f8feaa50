import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unsubscribeReportsPath } from '../../../src/actions/reports/unsubscribe-reports.js'
import { SESSION_COOKIE } from '../../../src/http/web/people/session.js'
import { digestOf } from '../../../src/lib/secrets/secrets.js'
import { claimMails } from '../../_support/claim-mails.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store } = world

const pathOf = ({ uuid, email }: { uuid: string; email: string }) =>
  unsubscribeReportsPath(world.config.SECRET_KEY, { userUuid: uuid, email })

test('somebody new is sent a report a month and no reminders, and may choose otherwise', async () => {
  const { alice } = world
  assert.deepEqual(await store.reports.wishes(alice.id), { reports: 'monthly', nagSeconds: 0 })
  const answer = await alice.post('/accounts/reports/', { reports: 'weekly', nags: '3600' })
  assert.equal(answer.status, 303)
  assert.deepEqual(await store.reports.wishes(alice.id), { reports: 'weekly', nagSeconds: 3_600 })
  const page = await alice.get('/accounts/profile/')
  assert.match(page.text, /<option value="weekly" selected=""/)
  assert.match(page.text, /<option value="3600" selected=""/)
})

test('values that are none are refused beside their field', async () => {
  const { bob } = world
  for (const given of [
    { reports: 'yearly', nags: '0' },
    { reports: 'off', nags: '60' },
    { reports: 'off' },
  ]) {
    assert.equal((await bob.post('/accounts/reports/', given)).status, 400)
  }
  assert.deepEqual(await store.reports.wishes(bob.id), { reports: 'monthly', nagSeconds: 0 })
})

test('where no e-mail goes out the page says so', async () => {
  const page = await world.alice.get('/accounts/profile/')
  assert.match(page.text, /this installation cannot send e-mail\. Ask your administrator to set EMAIL_HOST\./)
})

test('a new zone plans the next report anew, the same zone does not', async () => {
  const { mike } = world
  const due = async () =>
    (await store.reports.dueReports(world.clock.now(), 100)).some(({ userId }) => userId === mike.id)
  const [addressee] = (await store.reports.dueReports(world.clock.now(), 100)).filter(
    ({ userId }) => userId === mike.id,
  )
  const now = world.clock.now()
  await store.reports.queueReport({ addressee: addressee!, next: now + 1_000_000, mail: null, now })
  assert.equal(await due(), false)
  await mike.post('/accounts/profile/', { timezone: 'UTC', theme: 'dark' })
  assert.equal(await due(), false)
  await mike.post('/accounts/profile/', { timezone: 'Asia/Tokyo', theme: 'dark' })
  assert.equal(await due(), true)
})

test('opening the link in a report only asks', async () => {
  const { rita } = world
  const { status, text } = await world.stranger().get(pathOf(rita))
  assert.equal(status, 200)
  assert.match(text, /Reports and reminders will no longer be sent to you/)
  assert.match(text, /<button[^>]*>\s*Unsubscribe/)
  assert.equal((await store.reports.wishes(rita.id)).reports, 'monthly')
})

test('a mail program’s own button stops reports and reminders, without a session or a token', async () => {
  const { rita } = world
  await store.reports.setWishes(rita.uuid, { reports: 'daily', nagSeconds: 86_400 })
  const answer = await fetch(world.root + pathOf(rita), {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  assert.equal(answer.status, 200)
  assert.deepEqual(await store.reports.wishes(rita.id), { reports: 'off', nagSeconds: 0 })
})

test('a link for somebody else, or with a changed signature, stops nothing', async () => {
  const { charlie, bob } = world
  // Its first character: the last one holds bits that mean nothing.
  const changed = (signature: string) => (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
  const wrong = [pathOf(bob).replace(bob.uuid, charlie.uuid), pathOf(charlie).replace(/[^/]+\/$/, changed)]
  for (const path of wrong) {
    const { status, text } = await world.stranger().get(path)
    assert.equal(status, 200)
    assert.match(text, /Incorrect link/)
    await fetch(world.root + path, { method: 'POST' })
  }
  assert.equal((await store.reports.wishes(charlie.id)).reports, 'monthly')
})

test('a link that went to the address before stops nothing at the new one', async () => {
  const { charlie } = world
  const old = pathOf(charlie)
  const now = world.clock.now()
  await store.reports.queueReport({
    addressee: (await store.reports.dueReports(now, 100)).find(({ userId }) => userId === charlie.id)!,
    next: now + 1_000_000,
    mail: { kind: 'report', subject: 'Monthly', text: old, html: old, unsubscribeUrl: old },
    now,
  })
  const digest = digestOf(charlie.cookies.get(SESSION_COOKIE)!)
  const { sessionId } = (await store.people.findSession(digest, now))!
  await store.people.setEmail({
    userId: charlie.id,
    sessionId,
    email: 'charles@example.org',
    provenAt: now,
    now,
  })
  assert.match((await world.stranger().get(old)).text, /Incorrect link/)
  await fetch(world.root + old, { method: 'POST' })
  assert.equal((await store.reports.wishes(charlie.id)).reports, 'monthly')
  const waiting = await claimMails(store, { now })
  assert.deepEqual(waiting, [], 'no report with that link goes to the new address')
  await fetch(world.root + pathOf({ ...charlie, email: 'charles@example.org' }), { method: 'POST' })
  assert.equal((await store.reports.wishes(charlie.id)).reports, 'off')
})
