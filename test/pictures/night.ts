/** A month of the jobs of a company, for pictures: thirty checks run on their schedules, and some of them fail. */
import { declareDown } from '../../src/actions/alerts/declare-down.js'
import { nextAfter, parseSchedule } from '../../src/core/schedule/index.js'
import { claimMessages, settleMessage } from '../_support/claim.js'
import { pingCheck } from '../_support/ping-check.js'
import { createRealChecks, REAL_CHECKS } from '../_support/worlds/real-checks.js'
import type { WebWorld } from '../_support/worlds/web-world.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** How long the history is: of this many runs, but of 50 hours at least, and of a month at most. */
const RUNS = 30
const SHORTEST_MS = 50 * HOUR
const LONGEST_MS = 32 * 24 * HOUR

/** What becomes of a run that begins at an hour (UTC) before now: it fails, or does not begin at all. */
interface Trouble {
  from: number
  to: number
  exitStatus: number | null
}

const TROUBLE: Readonly<Record<string, readonly Trouble[]>> = {
  'Nightly PostgreSQL': [{ from: 12, to: 0, exitStatus: 1 }],
  'WAL archive lag': [{ from: 3.5, to: 0, exitStatus: null }],
  'Warehouse stock sync': [
    { from: 27, to: 26.6, exitStatus: 2 },
    { from: 1.1, to: 0, exitStatus: 2 },
  ],
  'SAP IDoc': [{ from: 11.2, to: 9, exitStatus: 137 }],
  'Newsletter queue': [
    { from: 13.1, to: 12.9, exitStatus: 75 },
    { from: 6.3, to: 6.1, exitStatus: 75 },
    { from: 0.28, to: 0, exitStatus: null },
  ],
  'Price list': [{ from: 13, to: 8, exitStatus: 1 }],
  'Licence server': [{ from: 0.05, to: 0, exitStatus: null }],
  'Ansible pull': [{ from: 18, to: 17.4, exitStatus: 4 }],
}

/** Jobs that begin at these times (ms), with how long they take: about the same each time, as if by chance. */
function runsOf(index: number, now: number): { at: number; durationMs: number }[] {
  const [, , timing] = REAL_CHECKS[index]!
  const runs: { at: number; durationMs: number }[] = []
  const usualMs = (90 + ((index * 37) % 200)) * 1000
  const next = (after: number) =>
    timing.schedule === undefined
      ? after + timing.periodSeconds! * 1000
      : nextAfter(parseSchedule(timing.schedule), timing.tz ?? 'UTC', after)
  let begin = now - LONGEST_MS - index * MINUTE
  if (timing.periodSeconds !== undefined)
    begin = now - Math.max(SHORTEST_MS, RUNS * timing.periodSeconds * 1000)
  let chance = index + 1
  for (let at = next(begin); at !== null && at < now; at = next(at)) {
    if (at < now - SHORTEST_MS && isOften(at, next(at))) continue
    chance = (chance * 16_807) % 2_147_483_647
    const longest = timing.periodSeconds === undefined ? usualMs : timing.periodSeconds * 300
    runs.push({ at, durationMs: Math.min(usualMs, longest) * (0.7 + (chance % 100) / 160) })
  }
  return runs
}

/** Whether the history of so frequent a job is left out but for its last days. */
function isOften(at: number, following: number | null): boolean {
  return following !== null && following - at < 4 * HOUR
}

const OUTPUT = `Starting base backup
\u001b[32mINFO\u001b[0m connected to db-01.frankfurt.example.internal:5432
\u001b[32mINFO\u001b[0m 14,302 files, 218.4 GB
checksum of pg_wal/0000000100000A3B000000C7 ok
\u001b[31mERROR\u001b[0m upload of part 117 failed: 503 Slow Down (https://s3.eu-central-1.amazonaws.com/backups)
retry 1 of 3
retry 2 of 3
retry 3 of 3
RuntimeError: gave up after 3 retries
`

/** Lets a month pass in a project, with alerts to its channels. Returns the UUIDs of the checks by the beginning of their names. */
export async function passMonth(world: WebWorld, projectId: number): Promise<(name: string) => string> {
  const { store, clock } = world
  const uuids = await createRealChecks(world, projectId)
  const place = (name: string) => REAL_CHECKS.findIndex(([full]) => full.startsWith(name))
  const now = clock.now() + LONGEST_MS + HOUR
  const happens: { at: number; what: () => Promise<void> }[] = []
  for (const [index, uuid] of uuids.slice(0, 28).entries()) {
    const [name] = REAL_CHECKS[index]!
    const troubles = Object.entries(TROUBLE).find(([start]) => name.startsWith(start))?.[1] ?? []
    for (const { at, durationMs } of runsOf(index, now)) {
      const hours = (now - at) / HOUR
      const trouble = troubles.find(({ from, to }) => hours <= from && hours >= to)
      if (trouble && trouble.exitStatus === null) continue
      happens.push({ at, what: () => pingCheck(world, uuid, 'start') })
      const end = at + Math.round(durationMs)
      if (end > now) continue
      const body = trouble ? Buffer.from(OUTPUT) : null
      const more = trouble ? { exitStatus: trouble.exitStatus, body, method: 'POST' } : {}
      happens.push({ at: end, what: () => pingCheck(world, uuid, trouble ? 'fail' : 'success', more) })
    }
  }
  for (let at = now - SHORTEST_MS; at < now; at += 2 * MINUTE) happens.push({ at, what: () => alert(world) })
  for (const { at, what } of happens.sort((one, other) => one.at - other.at)) {
    clock.advance((at - clock.now()) / 1000)
    await what()
  }
  clock.advance((now - clock.now()) / 1000)
  await alert(world)
  await store.checks.pause(projectId, uuids[28]!, clock.now())
  return name => uuids[place(name)]!
}

/** Declares down what is silent, and sends all alerts. */
async function alert({ store, clock }: WebWorld): Promise<void> {
  const onBug = (message: string) => {
    throw new Error(message)
  }
  await declareDown({ store, own: null, clock, onBug })
  for (const message of await claimMessages(store, clock.now()))
    await settleMessage(store, message, clock.now(), 'sent')
}
