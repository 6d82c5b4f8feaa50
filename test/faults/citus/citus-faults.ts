/**
 * A server of Citus is lost or cut off, while jobs of all checks ping one second before these go down. Nothing acknowledged
 * is lost and no alert is false; checks of the other worker are recorded, and go down, in the meantime.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../_support/eventually.js'
import type { Fault } from '../frame/bench.js'
import { Jobs } from '../frame/jobs.js'
import type { LedgerEntry } from '../frame/ledger.js'
import type { Trial } from '../frame/trial.js'
import { type CitusWorld, openCitusWorld, portOf, promote, type Replicated } from './citus-world.js'
import { openLine } from './line.js'

/** Causes the trouble, and returns a function that ends it. */
type Trouble = (world: CitusWorld) => Promise<() => Promise<void>>

/** The workers: the one that trouble concerns, and the other. */
const LOST = 0
const OTHER = 1

/** As in pings-refused.ts. */
const HOLD_SECONDS = 12
const ENV = { OUTAGE_HOLD: String(HOLD_SECONDS) }
const AHEAD_MS = 8_000
const AROUND_MS = 2_000
const EVERY_MS = 1_000

/** How long (ms) judging may wait for a worker that hangs: two batches of pings that wait for it, and the rest. */
const HANGS_MS = 2 * 4_000 + 3_000

const killed: Trouble = async ({ workers }) => {
  await workers[LOST]!.kill()
  return () => workers[LOST]!.start()
}

const replaced: Trouble = async ({ workers, lines, standby, trial, ask }) => {
  await workers[LOST]!.kill()
  return async () => {
    await promote(standby!)
    const line = await openLine(portOf(standby!))
    lines.push(line)
    const before = performance.now()
    await ask(`SELECT citus_update_node(nodeid, '127.0.0.1', ${line.port})
      FROM pg_dist_node WHERE nodeport = ${lines[LOST]!.port}`)
    trial.figures['citus_update_node, s'] = ((performance.now() - before) / 1000).toFixed(1)
  }
}

const coordinatorReplaced: Trouble = async ({ coordinator, address, standby }) => {
  await coordinator.kill()
  return async () => {
    await promote(standby!)
    address.leadTo(portOf(standby!))
  }
}

const frozen: Trouble = async ({ workers }) => {
  const thaw = workers[LOST]!.freeze()
  return async () => thaw()
}

const cutFrom =
  (user: 'coordinator' | 'punctual'): Trouble =>
  async ({ lines }) => {
    lines[LOST]!.cut(user)
    return async () => lines[LOST]!.mend()
  }

interface Case {
  name: string
  trouble: Trouble
  seconds: number
  replicated?: Replicated
  /** How long (ms) after their deadline checks of the other worker may go down; absent: they wait too. */
  othersWithinMs?: number
}

export const citusFaults: Readonly<Record<string, Fault>> = {
  'worker-killed': faultOf({ name: 'a worker killed', trouble: killed, seconds: 12, othersWithinMs: 3_000 }),
  'worker-replaced': faultOf({
    ...{ name: 'a worker lost, standby promoted', trouble: replaced, seconds: 8, replicated: 'worker' },
    othersWithinMs: 3_000,
  }),
  'worker-frozen': faultOf({
    ...{ name: 'a worker frozen', trouble: frozen, seconds: 20, othersWithinMs: HANGS_MS },
  }),
  'coordinator-replaced': faultOf({
    ...{ name: 'the coordinator lost, standby promoted', trouble: coordinatorReplaced, seconds: 8 },
    replicated: 'coordinator',
  }),
  'line-to-punctual': faultOf({
    ...{ name: 'a worker cut off from Punctual', trouble: cutFrom('punctual'), seconds: 20 },
    othersWithinMs: HANGS_MS,
  }),
  'line-to-coordinator': faultOf({
    ...{ name: 'a worker cut off from the coordinator', trouble: cutFrom('coordinator'), seconds: 20 },
  }),
}

function faultOf({ name, trouble, seconds, replicated, othersWithinMs }: Case): Fault {
  return {
    name: `${name} for ${seconds} s`,
    engines: ['postgres'],
    // Messages that were being sent at that moment could not be recorded as sent.
    mayRepeat: () => 1,
    async run(bench) {
      const world = await openCitusWorld(bench, ENV, replicated)
      const { trial } = world
      const silent = await silentOn(world, OTHER)
      await silentOn(world, LOST)
      const jobs = new Jobs(trial)
      const load = trial.startLoad()
      bench.defer(() => load.kill())
      const count = Math.ceil((seconds * 1000 + 2 * AROUND_MS) / EVERY_MS)
      await jobs.start(Array.from({ length: count }, (_, n) => AHEAD_MS - AROUND_MS + n * EVERY_MS))
      const from = jobs.startedAt + AHEAD_MS
      const deadline = from + seconds * 500
      await trial.setDeadlines(trial.quiet.map(check => [check, deadline] as const))
      await sleep(from - trial.program.now())
      const end = await trouble(world)
      await sleep(from + seconds * 1000 - trial.program.now())
      await end()
      const to = trial.program.now()
      const first = await load.next(entry => entry.status === 200)
      trial.figures['takes pings again after, s'] = (Math.max(0, first.at - to) / 1000).toFixed(1)
      trial.figures['jobs that pinged at the last moment'] = await jobs.end()
      await load.settle()
      const others = await world.checksOf(OTHER)
      const during = trial.ledger.filter(({ at }) => at > from && at < to)
      const refusedOfOthers = noteRefused(trial, during, others)
      const alert = await trial.waitForMessage(silent, 'down')
      trial.figures['a silent check of the other worker went down after, s'] = (
        (alert.at - deadline) /
        1000
      ).toFixed(1)
      if (othersWithinMs !== undefined) {
        assert.equal(refusedOfOthers, 0, 'no ping of the other worker is refused')
        assert.ok(alert.at - deadline < othersWithinMs, `the alert came ${alert.at - deadline} ms late`)
      }
      const refused = during.filter(({ status }) => status === 503)
      assert.ok(refused.length > 0)
      // The outage of a part is stored when its pings are recorded again, for which an alert about another part does not wait.
      const isOnRecord = () =>
        trial.assertOnRecord(refused.map(({ at }) => at)).then(
          () => true,
          () => false,
        )
      await eventually(isOnRecord)
      return trial
    },
  }
}

/** Makes checks that were pinged and fall silent, until a worker has one, and returns that. */
async function silentOn(world: CitusWorld, worker: number): Promise<string> {
  const { trial } = world
  for (;;) {
    const check = await trial.fallSilent(60_000)
    if ((await world.checksOf(worker)).has(check)) return check
  }
}

/** Notes how many pings there were of both workers during the trouble, and returns how many of the other were refused. */
function noteRefused(trial: Trial, during: readonly LedgerEntry[], others: ReadonlySet<string>): number {
  let refusedOfOthers = 0
  for (const [name, isOther] of [
    ['worker in trouble', false],
    ['other worker', true],
  ] as const) {
    const some = during.filter(({ check }) => others.has(check) === isOther)
    const refused = some.filter(({ status }) => status !== 200)
    if (isOther) refusedOfOthers = refused.length
    const slowest = Math.max(0, ...some.map(({ ms }) => ms))
    trial.figures[`pings of the ${name}, refused, slowest`] =
      `${some.length}, ${refused.length}, ${slowest} ms`
  }
  return refusedOfOthers
}
