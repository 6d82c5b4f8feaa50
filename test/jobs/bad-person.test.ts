/** A person whose row cannot be written delays nobody else's reports. Decision 0156. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportsJob } from '../../src/jobs/reports.js'
import { arrivedPing } from '../_support/arrived-ping.js'
import { eventually } from '../_support/eventually.js'
import { breakRow } from '../_support/worlds/bad-row.js'
import { openNotices } from '../_support/worlds/notices.js'

const DAY_S = 86_400
const PEOPLE = ['bad@example.org', 'a@example.com', 'b@example.net']

test('a person whose row cannot be written delays no report and no reminder of others', async t => {
  const { store, raw, clock, deps, queue } = await openNotices(t)
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
  const job = reportsJob({
    ...deps,
    site: { name: 'Punctual', root: 'http://localhost:8000' },
    onError: error => void errors.push(error),
  })
  job.start()
  t.after(() => job.stop())
  const count = async (sql: string) => Number((await raw(`SELECT count(*) AS count FROM ${sql}`))[0]!.count)
  await eventually(
    async () => (await count('users WHERE next_report_at IS NOT NULL AND next_nag_at IS NOT NULL')) === 3,
  )
  const mend = await breakRow(raw, { on: 'UPDATE', table: 'users', when: `OLD.email = '${PEOPLE[0]}'` })
  clock.advance(2 * DAY_S)
  job.wake()
  const queued = (kind: string) => count(`mails WHERE kind = '${kind}'`)
  await eventually(async () => (await queued('report')) === 2 && (await queued('nag')) === 2)
  assert.ok(errors.length > 0)
  await mend()
  job.wake()
  await eventually(async () => (await queued('report')) === 3 && (await queued('nag')) === 3)
})
