/** E-mails to people whose rows another transaction has locked for long, such as a frozen process or an operator. Decision 0062. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { mailsJob } from '../../../../src/jobs/dispatch/mails.js'
import { isLocked } from '../../../../src/storage/errors.js'
import { eventually } from '../../../_support/eventually.js'
import { onOneServer } from '../../../_support/servers/postgres-server.js'
import { openNotices } from '../../../_support/worlds/notices.js'

const PEOPLE = ['a', 'b', 'c', 'd', 'e'].map(name => `${name}@${name}.example`)

test('e-mails that are locked use one connection together, and are sent once', onOneServer, async t => {
  const hang = Object.fromEntries(PEOPLE.map(email => [email.slice(2), 'hangs' as const]))
  const { queue, letGo, begun, outcomes, raw, store, deps } = await openNotices(t, hang)
  for (const email of PEOPLE) await queue(email)
  const errors: unknown[] = []
  const job = mailsJob({ ...deps, onError: error => void errors.push(error) })
  job.start()
  t.after(() => job.stop())
  await eventually(() => begun.length === PEOPLE.length)
  await raw('BEGIN')
  await raw('SELECT id FROM mails FOR UPDATE')
  const waiting = async () => {
    const [row] = await raw(`SELECT count(*) AS count FROM pg_locks
      WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`)
    return Number(row!.count)
  }
  letGo()
  let most = 0
  while (errors.length <= PEOPLE.length && most < 2) {
    most = Math.max(most, await waiting())
    await sleep(20)
  }
  assert.equal(most, 1)
  await store.people.createUser({ email: 'f@f.example', passwordHash: null, emailProven: true, now: 1 })
  assert.deepEqual(outcomes, [])
  await raw('ROLLBACK')
  await eventually(() => outcomes.length === PEOPLE.length)
  assert.ok(errors.every(isLocked), String(errors))
  assert.deepEqual(begun.toSorted(), PEOPLE)
  assert.deepEqual(await raw('SELECT id FROM mails'), [])
})
