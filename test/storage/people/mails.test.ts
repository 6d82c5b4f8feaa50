/** Who may get mail that nobody asked for: people who have proven their address and are not disabled. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DueMail } from '../../../src/storage/people/claim-mails.js'
import type { QueuedMail } from '../../../src/storage/people/mails.js'
import { claimMails } from '../../_support/claim-mails.js'
import { failWithNotice } from '../../_support/worlds/notices.js'
import { openFreshStore } from '../../_support/worlds/store.js'

const DAY_MS = 86_400_000
const mail: QueuedMail = { kind: 'notice', subject: 'Over', text: '', html: '', unsubscribeUrl: '' }

async function teamOf(t: { after(end: () => Promise<void>): void }) {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const person = (name: string, emailProven: boolean) =>
    store.people.createUser({ email: `${name}@example.org`, passwordHash: null, emailProven, now: 1 })
  const [owner, member, unproven] = [
    await person('owner', true),
    await person('member', true),
    await person('unproven', false),
  ]
  const project = await store.projects.create({ name: '', ownerId: owner.id, pingKey: null, now: 1 })
  for (const { id } of [member, unproven])
    await store.projects.putMember({ projectId: project.id, userId: id, role: 'readonly', now: 1 })
  const channel = await store.channels.create({
    projectId: project.id,
    name: '',
    kind: 'sms',
    settings: {},
    members: [],
    now: 1,
  })
  const fail = async (now: number, key = 'over') =>
    await failWithNotice(
      store,
      await channelId(),
      { ...mail, limit: { key, capacity: 1, periodMs: DAY_MS } },
      now,
    )
  const channelId = async () =>
    Number((await raw(`SELECT id FROM channels WHERE uuid = '${channel.uuid}'`))[0]!.id)
  const claim = async (now: number) => (await claimMails(store, { now })).map(({ to }) => to).sort()
  const waiting = async () => Number((await raw('SELECT count(*) AS n FROM mails'))[0]!.n)
  return { store, projectId: project.id, owner, member, unproven, fail, claim, waiting }
}

test('an e-mail to a project goes to its enabled people with a proven address', async t => {
  const { store, member, unproven, fail, claim } = await teamOf(t)
  await fail(10)
  assert.deepEqual(await claim(10), ['member@example.org', 'owner@example.org'])
  await store.people.setDisabled(member.id, 11)
  await store.people.handOverAccount({ userId: unproven.id, email: unproven.email, now: 11 })
  await fail(12, 'another')
  const to = await claim(12)
  assert.deepEqual(to, ['owner@example.org', 'owner@example.org', 'unproven@example.org'])
})

test('an e-mail to a person who was disabled, or is unproven, is deleted when due', async t => {
  const { store, owner, member, fail, claim, waiting } = await teamOf(t)
  await fail(10)
  assert.equal(await waiting(), 2)
  await store.people.setDisabled(member.id, 11)
  assert.deepEqual(await claim(12), ['owner@example.org'])
  assert.equal(await waiting(), 1)
  await store.people.setDisabled(member.id, null)
  assert.deepEqual(await claim(13), ['owner@example.org'], 'it does not come back')
  await store.people.openSession({
    digest: 'digest',
    userId: owner.id,
    credentialsVersion: 0,
    method: 'password',
    ua: '',
    address: null,
    now: 14,
  })
  const session = (await store.people.findSession('digest', 14))!
  const moved = { userId: owner.id, sessionId: session.sessionId, email: 'stranger@example.org' }
  await store.people.setEmail({ ...moved, provenAt: null, now: 3 })
  assert.deepEqual(await claim(15), [])
  assert.equal(await waiting(), 0)
})

test('a waiting e-mail to a project is not sent to a person who has left it', async t => {
  const { store, projectId, member, fail, claim, waiting } = await teamOf(t)
  await fail(10)
  await store.projects.removeMember(projectId, member.uuid, 11)
  assert.deepEqual(await claim(12), ['owner@example.org'])
  assert.equal(await waiting(), 1)
})

test('a waiting e-mail to a project is not sent twice to a member who takes it over', async t => {
  const { store, owner, member, fail, claim } = await teamOf(t)
  await fail(10)
  await store.people.handProjects(owner.id, member.id, 11)
  assert.deepEqual(await claim(12), ['member@example.org'])
})

test('e-mails to a project are rate-limited', async t => {
  const { fail, waiting } = await teamOf(t)
  for (const now of [10, 11, 12]) await fail(now)
  assert.equal(await waiting(), 2)
  await fail(11 + DAY_MS)
  assert.equal(await waiting(), 4)
})

test('due e-mails are known by the project of a notice, or the person of a report', async t => {
  const { store, projectId, owner, fail } = await teamOf(t)
  await fail(10)
  await store.reports.setWishes(owner.uuid, { reports: 'daily', nagSeconds: 0 })
  const addressees = await store.reports.dueReports(10, 9)
  const addressee = addressees.find(({ userId }) => userId === owner.id)
  const tells = { projectIds: [projectId], need: 'read' as const }
  const report = { ...mail, kind: 'report' as const, tells }
  await store.reports.queueReport({ addressee: addressee!, next: 99, mail: report, now: 11 })
  const due = async (now: number, after: DueMail | null = null, limit = 9) =>
    await store.people.dueMails({ now, after, limit })
  const domain = 'example.org'
  const [first, second, third] = await due(11)
  assert.deepEqual(
    [first, second, third],
    [
      { id: first!.id, owner: projectId, domain, dueAt: 10 },
      { id: second!.id, owner: projectId, domain, dueAt: 10 },
      { id: third!.id, owner: -owner.id, domain, dueAt: 11 },
    ],
  )
  assert.deepEqual(await due(11, first, 1), [second], 'a page after the first')
  assert.deepEqual(await due(11, second), [third], 'a page after the second')
  assert.deepEqual(await due(10), [first, second], 'the report is not due yet')
  await store.people.claimMails({ worker: 'w', now: 11, leaseUntil: 20, ids: [first!.id] })
  assert.deepEqual(await due(20), [second, third], 'the first is under way')
  assert.deepEqual(await due(21), [first, second, third], 'its claim has run out')
})
