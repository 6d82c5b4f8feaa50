/** E-mails to people: nobody's wait for a slow one. Decision 0063. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailsJob } from '../../../src/jobs/dispatch/mails.js'
import { newWorkerName } from '../../../src/lib/worker-name.js'
import { eventually } from '../../_support/eventually.js'
import { openNotices } from '../../_support/worlds/notices.js'

const people = (count: number, domain: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `person${index}@${domain(index)}`)

test('e-mails to a domain that hangs do not delay those to others', async t => {
  const { queue, start, begun, sent } = await openNotices(t, { 'slow.example': 'hangs' })
  for (const email of people(6, () => 'slow.example')) await queue(email)
  await start()
  await eventually(() => begun.length > 0)
  const others = people(10, index => `other${index}.example`)
  for (const email of others) await queue(email)
  await eventually(() => sent.length === others.length)
  assert.deepEqual(sent.toSorted(), others.toSorted())
  assert.equal(begun.filter(to => to.endsWith('@slow.example')).length, 1)
})

test('one e-mail that hangs does not delay others of the same project', async t => {
  const { queue, start, sent } = await openNotices(t, { 'slow.example': 'hangs' })
  const others = people(20, () => 'example.org')
  await queue(...people(3, () => 'slow.example'), ...others)
  await start()
  await eventually(() => sent.length === others.length)
  assert.deepEqual(sent.toSorted(), others.toSorted())
})

test('a project with many notices does not delay that of another', async t => {
  const { queue, start, sent, outcomes, raw } = await openNotices(t)
  await queue(...people(40, () => 'example.org'))
  await queue('last@example.org')
  await start()
  await eventually(() => outcomes.length === 41)
  // The first one alone, because nothing is known about the domain, and then four at once.
  assert.ok(sent.indexOf('last@example.org') < 5, sent.join())
  assert.deepEqual(await raw('SELECT id FROM mails'), [])
})

test('two processes send each e-mail once', async t => {
  const { queue, start, begun, outcomes } = await openNotices(t)
  const all = people(30, index => `example${index % 3}.org`)
  for (const email of all) await queue(email)
  await Promise.all([start(), start({ another: true })])
  await eventually(() => outcomes.length === all.length)
  assert.deepEqual(begun.toSorted(), all.toSorted())
})

test('a failed e-mail is tried again after a pause', async t => {
  const answers: Parameters<typeof openNotices>[1] = { 'example.org': 'refuses' }
  const { queue, start, clock, begun, sent, outcomes } = await openNotices(t, answers)
  await queue('alice@example.org')
  const job = await start()
  await eventually(() => outcomes.length === 1)
  delete answers['example.org']
  clock.advance(1)
  job.wake()
  await eventually(() => sent.length === 1)
  assert.equal(begun.length, 2)
})

test('a shutdown waits for e-mails under way and begins no others', async t => {
  const { queue, start, letGo, begun, outcomes } = await openNotices(t, { 'slow.example': 'hangs' })
  for (const email of people(2, () => 'slow.example')) await queue(email)
  const job = await start()
  await eventually(() => begun.length === 1)
  const stopped = job.stop()
  letGo()
  await stopped
  assert.equal(begun.length, 1)
  assert.deepEqual(outcomes, ['sent'])
})

test('a shutdown releases e-mails that hang', async t => {
  const { queue, start, store, clock, begun, outcomes } = await openNotices(t, { 'slow.example': 'hangs' })
  await queue('alice@slow.example')
  const job = await start()
  await eventually(() => begun.length === 1)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const stopped = job.stop()
  t.mock.timers.tick(4_000)
  t.mock.timers.reset()
  await stopped
  assert.deepEqual(outcomes, [])
  assert.equal((await store.people.dueMails({ now: clock.now(), after: null, limit: 9 })).length, 1)
})

test('an e-mail that was sent and could not be settled before a shutdown is not sent again', async t => {
  const { queue, store, deps, raw, sent } = await openNotices(t)
  await queue('alice@example.org')
  const tried: boolean[] = []
  let stopping = false
  const settleMail = async () => {
    tried.push(stopping)
    throw Object.assign(new Error('locked'), { code: 'SQLITE_BUSY' })
  }
  const locked = { ...store, people: { ...store.people, settleMail } }
  const job = mailsJob({ ...deps, store: locked, onError: () => {} })
  job.start()
  await eventually(() => tried.length > 0)
  stopping = true
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const stopped = job.stop()
  t.mock.timers.tick(4_000)
  t.mock.timers.reset()
  await stopped
  assert.deepEqual(
    tried.filter(isLast => isLast),
    [true],
  )
  assert.deepEqual(sent, ['alice@example.org'])
  assert.deepEqual(await raw('SELECT id FROM mails'), [])
})

test('an e-mail under way is not begun again when its lease looks over', async t => {
  const answers: Parameters<typeof openNotices>[1] = {}
  const { queue, start, clock, letGo, begun, outcomes } = await openNotices(t, answers)
  await queue('first@example.org')
  const job = await start()
  await eventually(() => outcomes.length === 1)
  answers['example.org'] = 'hangs'
  await queue('alice@example.org')
  await eventually(() => begun.length === 2)
  clock.advance(3_600)
  await queue('bob@example.org')
  job.wake()
  await eventually(() => begun.includes('bob@example.org'))
  letGo()
  await eventually(() => outcomes.length >= 3)
  assert.deepEqual(begun, ['first@example.org', 'alice@example.org', 'bob@example.org'])
})

test('the e-mails of a process that has ended are sent at once', async t => {
  const { queue, start, store, clock, sent, outcomes } = await openNotices(t)
  await queue('alice@example.org')
  await queue('bob@example.net')
  const now = clock.now()
  const leaseUntil = now + 240_000
  const due = await store.people.dueMails({ now, after: null, limit: 9 })
  const of = (domain: string) => due.filter(mail => mail.domain === domain).map(({ id }) => id)
  const ended = { worker: newWorkerName(), ids: of('example.org') }
  const elsewhere = { worker: 'another machine 1 x', ids: of('example.net') }
  for (const claim of [ended, elsewhere]) await store.people.claimMails({ ...claim, now, leaseUntil })
  await queue('carol@example.com')
  await start()
  await eventually(() => outcomes.length === 2)
  assert.deepEqual(sent.toSorted(), ['alice@example.org', 'carol@example.com'])
  assert.deepEqual(await store.people.mailClaimants(), [elsewhere.worker])
})
