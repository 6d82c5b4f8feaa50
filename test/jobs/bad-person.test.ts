/** A person whose row cannot be written delays nobody else's reports. Decision 0156. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { reportsJob } from '../../src/jobs/reports.js'
import { arrivedPing } from '../_support/arrived-ping.js'
import { eventually } from '../_support/eventually.js'
import { type BadRow, breakRow } from '../_support/worlds/bad-row.js'
import { openNotices } from '../_support/worlds/notices.js'

const DAY_S = 86_400
const BAD = 'bad@example.org'
const PEOPLE = [BAD, 'a@example.com', 'b@example.net']
const BAD_ROW: BadRow = { on: 'UPDATE', table: 'users', when: `OLD.email LIKE 'bad%'` }

/** People with a check each that is down, who want daily reports and hourly reminders. */
async function open(t: TestContext) {
  const { store, raw, clock, deps, queue, aside } = await openNotices(t)
  for (const [index, email] of PEOPLE.entries()) {
    const { projectId } = await queue(email)
    const { check } = await store.checks.create(projectId, {
      changes: { name: email },
      unique: null,
      now: clock.now(),
    })
    await store.pings.record([arrivedPing({ uuid: check.uuid }, clock.now() + index, { action: 'fail' })])
  }
  await raw('DELETE FROM mails')
  for (const { uuid } of await raw('SELECT uuid FROM users'))
    await store.reports.setWishes(uuid as string, { reports: 'daily', nagSeconds: 3_600 })
  const errors: unknown[] = []
  const count = async (sql: string) => Number((await raw(`SELECT count(*) AS count FROM ${sql}`))[0]!.count)
  return {
    store,
    raw,
    clock,
    aside,
    errors,
    badId: async () => Number((await raw(`SELECT id FROM users WHERE email = '${BAD}'`))[0]!.id),
    begin() {
      const site = { name: 'Punctual', root: 'http://localhost:8000' }
      const job = reportsJob({ ...deps, site, onError: error => void errors.push(error) })
      job.start()
      t.after(() => job.stop())
      return job
    },
    /** The number of people whose next report and next reminder are planned. */
    planned: () => count('users WHERE next_report_at IS NOT NULL AND next_nag_at IS NOT NULL'),
    /** Whether so many reports and reminders are queued. */
    areQueued: async (n: number) =>
      (await count(`mails WHERE kind = 'report'`)) === n && (await count(`mails WHERE kind = 'nag'`)) === n,
  }
}

test('a person whose row cannot be written delays no report and no reminder of others', async t => {
  const { raw, clock, aside, errors, badId, begin, planned, areQueued } = await open(t)
  const job = begin()
  await eventually(async () => (await planned()) === 3)
  const mend = await breakRow(raw, BAD_ROW)
  clock.advance(2 * DAY_S)
  job.wake()
  await eventually(() => areQueued(2))
  await eventually(() => job.setAside() === 1)
  assert.deepEqual([...new Set(aside.map(({ what, id }) => `${what} ${id}`))], [`user ${await badId()}`])
  await mend()
  job.wake()
  await eventually(() => areQueued(3))
  await eventually(() => job.setAside() === 0)
  assert.deepEqual(errors, [])
})

test('a person for whom no reminder can be planned keeps none of others from being planned', async t => {
  const { raw, clock, errors, begin, planned, areQueued } = await open(t)
  const mend = await breakRow(raw, BAD_ROW)
  const job = begin()
  await eventually(async () => (await planned()) === 2)
  clock.advance(2 * DAY_S)
  job.wake()
  await eventually(() => areQueued(2))
  await mend()
  await eventually(async () => {
    clock.advance(60)
    job.wake()
    return (await planned()) === 3
  })
  assert.deepEqual(errors, [])
})

test('reports and reminders of others are queued while very many people have a bad row', async t => {
  const { store, raw, clock, errors, begin, areQueued } = await open(t)
  for (let n = 0; n < 60; n++) {
    const email = `bad${n}@example.org`
    const user = await store.people.createUser({ email, passwordHash: null, emailProven: true, now: 1 })
    await store.reports.setWishes(user.uuid, { reports: 'daily', nagSeconds: 3_600 })
  }
  // Those of the bad ones are due first.
  await raw(`UPDATE users SET next_report_at = 2, next_nag_at = 2`)
  await raw(`UPDATE users SET next_report_at = 1, next_nag_at = 1 WHERE email LIKE 'bad%'`)
  const mend = await breakRow(raw, BAD_ROW)
  clock.advance(2 * DAY_S)
  begin()
  await eventually(() => areQueued(2))
  assert.deepEqual(errors, [])
  await mend()
})
