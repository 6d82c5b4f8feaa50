/**
 * Pings cannot be recorded for a while, for one of several reasons, and jobs ping one second before their checks go
 * down. No alert about those is sent; an alert is sent about each check that was silent for another reason.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openSide } from '../../src/storage/copy/side.js'
import { type Bench, type Engine, type Fault, freePort } from './frame/bench.js'
import { Jobs } from './frame/jobs.js'
import { Program } from './frame/program.js'
import type { Trial } from './frame/trial.js'

/** Causes the trouble, and returns a function that ends it. */
type Trouble = (trial: Trial) => Promise<() => Promise<void>>

/** Long enough for a job to ping again, and short enough to wait for. */
const HOLD_SECONDS = 12

const ENV = { OUTAGE_HOLD: String(HOLD_SECONDS) }

/** The trouble begins this long (ms) after everything is set up. */
const AHEAD_MS = 8_000

/** Jobs have deadlines from this long (ms) before the trouble until this long after it, and at this interval. */
const AROUND_MS = 2_000
const EVERY_MS = 700

/** Another program holds a lock in a transaction that it leaves open. */
const locked =
  (table: 'pings' | 'checks'): Trouble =>
  async ({ database }) => {
    const side = await openSide(database, { create: false })
    // On SQLite this locks the whole file.
    await side.begin()
    if (!database.startsWith('sqlite:')) {
      await sql`LOCK TABLE ${sql.table(table)} IN ACCESS EXCLUSIVE MODE`.execute(side.sql)
    }
    return async () => {
      await side.commit()
      await side.close()
    }
  }

/** The table of the log answers as if its disk were full; the rest of the database works. */
const logFull: Trouble = async trial => {
  const ask = (statements: string[]) =>
    trial.withDatabase(async side => {
      for (const statement of statements) await sql.raw(statement).execute(side.sql)
    })
  await ask([
    `CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE 'no space left on device' USING ERRCODE = 'disk_full'; END $$`,
    'CREATE TRIGGER disk_full BEFORE INSERT ON pings FOR EACH STATEMENT EXECUTE FUNCTION disk_full()',
  ])
  return () => ask(['DROP TRIGGER disk_full ON pings', 'DROP FUNCTION disk_full'])
}

/** The program is killed and, after a while, started again. */
const away: Trouble = async ({ program }) => {
  await program.kill()
  return () => program.start()
}

/** The program is frozen, and later continues. */
const frozen: Trouble = async ({ program }) => {
  process.kill(program.pid, 'SIGSTOP')
  return async () => void process.kill(program.pid, 'SIGCONT')
}

interface Case {
  name: string
  trouble: Trouble
  seconds: number
  engines?: readonly Engine[]
  inShort?: readonly Engine[]
  /** Whether another process notices silence and sends alerts. */
  apart?: boolean
}

export const pingsRefused: Readonly<Record<string, Fault>> = {
  'log-locked': faultOf({ name: 'the log of pings locked', trouble: locked('pings'), seconds: 12 }),
  'log-locked-apart': faultOf({
    name: 'the log of pings locked, with a separate worker',
    trouble: locked('pings'),
    seconds: 12,
    engines: ['postgres'],
    apart: true,
  }),
  'log-full': faultOf({
    name: 'the log of pings full',
    trouble: logFull,
    seconds: 12,
    engines: ['postgres'],
  }),
  'log-full-apart': faultOf({
    name: 'the log of pings full, with a separate worker',
    trouble: logFull,
    seconds: 5,
    engines: ['postgres'],
    inShort: [],
    apart: true,
  }),
  'checks-locked': faultOf({
    name: 'the checks locked',
    trouble: locked('checks'),
    seconds: 12,
    engines: ['postgres'],
  }),
  frozen: faultOf({ name: 'program frozen', trouble: frozen, seconds: 5, inShort: ['sqlite'] }),
  'away-5': faultOf({ name: 'program absent', trouble: away, seconds: 5, inShort: ['sqlite'] }),
  'away-12': faultOf({ name: 'program absent', trouble: away, seconds: 12, inShort: [] }),
  'away-40': faultOf({ name: 'program absent', trouble: away, seconds: 40, inShort: [] }),
  'web-away': faultOf({
    name: 'every process that takes pings absent, with a separate worker',
    trouble: away,
    seconds: 5,
    engines: ['postgres'],
    inShort: [],
    apart: true,
  }),
}

function faultOf({ name, trouble, seconds, engines = ['sqlite', 'postgres'], inShort, apart }: Case): Fault {
  return {
    name: `${name} for ${seconds} s`,
    engines,
    ...(inShort && { inShort }),
    // Messages that were being sent at that moment could not be recorded as sent.
    mayRepeat: () => 1,
    async run(bench) {
      const trial = await (apart ? openApart(bench) : bench.open({ env: ENV }))
      const jobs = new Jobs(trial)
      const from = await troubled(trial, jobs, trouble, seconds)
      trial.figures['jobs that pinged at the last moment'] = await jobs.end()
      const during = from + (seconds * 1000) / 2
      // After a kill it takes a few seconds until it is certain that no process accepted pings; silence waits until
      // then.
      await trial.eventually('the trouble to be recorded', async () =>
        (await trial.outages()).find(({ startedAt, endedAt }) => startedAt <= during && endedAt >= during),
      )
      return trial
    },
  }
}

/**
 * Jobs around trouble of `seconds`, and checks that are silent. Returns when the trouble began (ms) once it is over.
 */
async function troubled(
  trial: Trial,
  jobs: Jobs,
  trouble: Trouble,
  seconds: number,
  silent = true,
): Promise<number> {
  const quiet = silent ? [await trial.fallSilent(60_000), await trial.fallSilent(60_000)] : []
  const count = Math.ceil((seconds * 1000 + 2 * AROUND_MS) / EVERY_MS)
  const begins = AHEAD_MS - AROUND_MS
  await jobs.start(Array.from({ length: count }, (_, n) => begins + n * EVERY_MS))
  const from = jobs.startedAt + AHEAD_MS
  // The absence of a program that is killed counts from its last beat, up to five seconds earlier.
  const deadlines = [from - 6_000, from + seconds * 500]
  await trial.setDeadlines(quiet.map((check, index) => [check, deadlines[index]!] as const))
  trial.missed.push(...quiet.slice(1))
  await sleep(from - trial.program.now())
  const end = await trouble(trial)
  await sleep(from + seconds * 1000 - trial.program.now())
  await end()
  return from
}

/** All kinds of trouble in random order, for ten minutes and with little time in between. */
export const anyTrouble: Fault = {
  name: 'all of these in random order for ten minutes',
  engines: ['sqlite', 'postgres'],
  inShort: [],
  mayRepeat: () => Number.POSITIVE_INFINITY,
  async run(bench) {
    const trial = await bench.open({ env: ENV })
    const jobs = new Jobs(trial)
    const troubles = [locked('pings'), away, frozen]
    if (bench.engine === 'postgres') troubles.push(locked('checks'), logFull)
    const until = performance.now() + 600_000
    for (let round = 1; performance.now() < until; round++) {
      // Not each time: a channel that people read is sent a limited number of messages an hour.
      await troubled(trial, jobs, pick(troubles), pick([1, 3, 5, 12, 40]), round % 5 === 1)
      trial.figures['times of trouble'] = round
    }
    trial.figures['jobs that pinged at the last moment'] = await jobs.end()
    return trial
  },
}

function pick<T>(some: readonly T[]): T {
  return some[Math.floor(Math.random() * some.length)]!
}

/** One process that accepts pings, and another that notices silence and sends alerts. */
async function openApart(bench: Bench): Promise<Trial> {
  const { url } = await bench.cluster()
  const trial = await bench.open({ env: ENV, role: 'web', database: url })
  const port = await freePort()
  const inside = { METRICS_PORT: String(port), METRICS_HOST: '127.0.0.1', PORT: '0' }
  const env = { ...trial.program.env, ...inside }
  const worker = new Program({ folder: bench.folder(), port, role: 'worker', env })
  bench.defer(() => worker.kill())
  await worker.start()
  return trial
}
