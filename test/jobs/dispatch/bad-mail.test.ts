/** An e-mail to a person whose row cannot be written delays no other, and is not sent twice. Decision 0156. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { mailsJob } from '../../../src/jobs/dispatch/mails.js'
import { newWorkerName } from '../../../src/lib/worker-name.js'
import { eventually } from '../../_support/eventually.js'
import { type BadRow, breakRow } from '../../_support/worlds/bad-row.js'
import { type Answers, openNotices } from '../../_support/worlds/notices.js'

const BAD = 'bad@example.org'
const OTHERS = ['a@example.com', 'b@example.net', 'c@example.info']

/** Notices to these people, and a job that notes its errors. */
async function open(t: TestContext, answers: Answers = {}) {
  const world = await openNotices(t, answers)
  const { raw, deps } = world
  const errors: unknown[] = []
  /** The e-mail to the person at `BAD`. */
  const badId = async () => {
    const its = `user_id = (SELECT id FROM users WHERE email = '${BAD}')`
    return Number((await raw(`SELECT id FROM mails WHERE ${its}`))[0]!.id)
  }
  return {
    ...world,
    errors,
    badId,
    /** Makes such writes of its row fail until the returned function is called. */
    breaks: async (on: BadRow['on']) =>
      await breakRow(raw, { on, table: 'mails', when: `OLD.id = ${await badId()}` }),
    begin() {
      const job = mailsJob({ ...deps, onError: error => errors.push(error) })
      job.start()
      t.after(() => job.stop())
      return job
    },
  }
}

test('an e-mail that cannot be claimed for its row delays no other', async t => {
  const { queue, begin, breaks, badId, sent, aside, errors } = await open(t)
  for (const email of [BAD, ...OTHERS]) await queue(email)
  const mend = await breaks('UPDATE')
  const job = begin()
  await eventually(() => sent.length === OTHERS.length)
  await queue('later@example.org')
  await eventually(() => sent.includes('later@example.org'))
  assert.ok(!sent.includes(BAD))
  assert.equal(job.setAside(), 1)
  assert.deepEqual([...new Set(aside.map(({ what, id }) => `${what} ${id}`))], [`mail ${await badId()}`])
  await mend()
  await eventually(() => sent.includes(BAD))
  assert.equal(job.setAside(), 0)
  assert.deepEqual(errors, [])
})

test('an e-mail that was sent and cannot be settled for its row is sent once', async t => {
  const { queue, begin, breaks, raw, clock, sent, aside, errors } = await open(t)
  await queue(BAD)
  const mend = await breaks('DELETE')
  const job = begin()
  await eventually(() => aside.length + errors.length > 0)
  // Its claim runs out.
  clock.advance(300)
  for (const email of OTHERS) await queue(email)
  job.wake()
  await eventually(() => sent.length > OTHERS.length)
  assert.deepEqual(sent.toSorted(), [...OTHERS, BAD].toSorted())
  assert.equal(job.setAside(), 1)
  await mend()
  await eventually(async () => (await raw('SELECT id FROM mails')).length === 0)
  await eventually(() => job.setAside() === 0)
  assert.deepEqual(errors, [])
})

test('an e-mail that failed before and cannot be written does not keep others from being settled', async t => {
  const { queue, begin, breaks, badId, raw, sent, outcomes } = await open(t, { 'example.org': 'refuses' })
  await queue(BAD)
  const job = begin()
  await eventually(() => outcomes.length === 1)
  const mend = await breaks('UPDATE')
  for (const email of OTHERS) await queue(email)
  job.wake()
  await eventually(() => sent.length === OTHERS.length)
  await eventually(async () => (await raw('SELECT id FROM mails')).length === 1)
  await badId()
  await mend()
})

test('a claim of an ended process that cannot be released delays no other e-mail', async t => {
  const { queue, begin, breaks, badId, store, clock, sent } = await open(t)
  await queue(BAD)
  const now = clock.now()
  const claim = { worker: newWorkerName(), now, leaseUntil: now + 240_000, ids: [await badId()] }
  assert.equal((await store.people.claimMails(claim)).length, 1)
  const mend = await breaks('UPDATE')
  for (const email of OTHERS) await queue(email)
  begin()
  await eventually(() => sent.length === OTHERS.length)
  await mend()
})
