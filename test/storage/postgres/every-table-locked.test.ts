/** Pings and alerts of one project while another transaction has locked all rows of another one in a table. Decision 0157. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { PingQueue } from '../../../src/actions/pings/record-pings.js'
import type { PingOutcome } from '../../../src/core/pings/arrived-ping.js'
import { dependenciesJob } from '../../../src/jobs/dependencies.js'
import { escalationJob } from '../../../src/jobs/escalation.js'
import { goingDownJob } from '../../../src/jobs/going-down.js'
import { appendTo } from '../../../src/lib/append-to.js'
import { eventually } from '../../_support/eventually.js'
import { onOneServer } from '../../_support/servers/postgres-server.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { startDispatcher } from '../../_support/worlds/dispatcher.js'
import { LockedRows } from '../../_support/worlds/locked-rows.js'
import { LockedTenant, StillClock, WAVES } from '../../_support/worlds/locked-tenant.js'
import { type TenantTable, tenantTables } from '../../_support/worlds/tenant-tables.js'

test('locked rows of one project delay no ping and no alert of another one', onOneServer, async t => {
  const world = await openWorld(t)
  const { alice, bob } = world
  await world.prepare('first')
  const rounds = new Map<string, TenantTable[]>()
  for (const table of await tenantTables(world.query, alice.scene.projectId)) {
    // Each round takes half a second, and pings wait for nothing in the others.
    appendTo(rounds, table.isMonitoring ? table.name : 'others', table)
  }
  for (const [round, tables] of rounds) {
    await t.test(`in ${tables.map(({ name }) => name).join(', ')}`, async () => {
      await world.prepare(round)
      const unlock = await world.lock(tables)
      const sent = world.send(round)
      try {
        await sent.ofBob
        await world.whileJobsRun(async () => {
          await world.alerted(bob, round)
          await eventually(() => bob.isCleared(round))
        })
      } finally {
        await unlock()
      }
      await sent.ofAlice
      // What was locked is looked at again a second later.
      world.clock.pass(2_000)
      await world.whileJobsRun(() => world.alerted(alice, round))
      await world.settled()
      for (const tenant of [alice, bob]) await tenant.assertNothingLost(round)
      assert.deepEqual(world.errors, [])
    })
  }
})

async function openWorld(t: TestContext) {
  const rows = await LockedRows.open(t)
  const { store, query } = rows
  const clock = new StillClock(rows.alice.now)
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const receiver = await openRecorder(t)
  const dispatcher = startDispatcher(rows.alice, 'me', clock)
  t.after(() => dispatcher.stop())
  const queue = new PingQueue(store, store.changes, onError, undefined, clock)
  const shared = { clock, queue, receiver, query }
  const alice = await LockedTenant.open(rows.alice, { name: 'alice', pingKey: 'key' }, shared)
  const bob = await LockedTenant.open(rows.bob, { name: 'bob', pingKey: 'bob' }, shared)
  const tenants = [alice, bob]
  /** When the result of each message is stored. */
  const settled = () => eventually(() => dispatcher.outcomes.length >= receiver.requests.length)
  return {
    ...{ alice, bob, clock, errors, query, settled },
    lock: rows.lockEach.bind(rows),
    /** Adds the checks of a round, with what they have recorded, and forgets the alerts of that. */
    async prepare(round: string): Promise<void> {
      // The job looks at the dependencies of all checks.
      await query('DELETE FROM check_parents')
      await Promise.all(tenants.map(tenant => tenant.addChecks(round)))
      for (const place of [0, 1]) {
        const before = tenants.map(tenant => tenant.before(round, place))
        const oldestFirst = [...before[0]!.keys()].sort((a, b) => b - a)
        for (const agoMs of oldestFirst) await store.pings.record(before.flatMap(some => some.get(agoMs)!))
        for (const tenant of tenants) await eventually(() => tenant.wasAlertedBefore(round, place))
      }
      await settled()
      for (const tenant of tenants) await tenant.fillLog(round)
      receiver.requests.length = 0
      dispatcher.outcomes.length = 0
    },
    /** Sends the pings of a round, those of both projects in turn, and the later ones when the first of Bob are recorded. */
    send(round: string) {
      const ofAlice: Promise<PingOutcome>[] = []
      const sendToBob = async () => {
        for (const wave of WAVES) {
          const ofBob: Promise<PingOutcome>[] = []
          for (const ping of wave) {
            ofAlice.push(alice.send(round, ping))
            ofBob.push(bob.send(round, ping))
          }
          await recorded(ofBob)
        }
      }
      const ofBob = sendToBob()
      const later = ofBob.then(() => recorded(ofAlice))
      for (const answer of [...ofAlice, later]) answer.catch(() => {})
      return { ofBob, ofAlice: later }
    },
    /** Runs the jobs of a worker besides sending, which always runs. */
    async whileJobsRun(work: () => Promise<void>): Promise<void> {
      const deps = { store, clock, onError, onSetAside: onError }
      const own = { process: 'me', pings: queue }
      const jobs = [
        goingDownJob({ ...deps, own, changes: store.changes, onUnheard: () => {}, onBug: onError }),
        escalationJob(deps),
        dependenciesJob(deps),
      ]
      for (const job of jobs) job.start()
      try {
        await work()
      } finally {
        await Promise.all(jobs.map(job => job.stop()))
      }
    },
    async alerted(tenant: LockedTenant, round: string): Promise<void> {
      const missing = () => tenant.missing(round)
      await eventually(
        () => missing().length === 0,
        () => `not alerted: ${missing()}`,
      )
    },
  }
}

async function recorded(answers: Promise<PingOutcome>[]): Promise<void> {
  for (const outcome of await Promise.all(answers)) assert.match(outcome, /^(ok|created)$/)
}
