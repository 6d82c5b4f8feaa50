import { randomInt } from 'node:crypto'
import type { ArrivedPing } from '../../src/core/pings/arrived-ping.js'
import type { Store, StoreWith } from '../../src/storage/store.js'
import { arrivedPing } from '../../test/_support/arrived-ping.js'

const PING_KEY = 'benchmark'

/** The most checks that one batch of pings creates. */
const CREATED_AT_ONCE = 32

/** Creates a project with this number of checks and returns their UUIDs. */
export async function makeChecks(store: Store, checks: number): Promise<string[]> {
  const now = Date.now()
  const { id: projectId } = await store.projects.create({
    name: 'Bench',
    ownerId: null,
    pingKey: PING_KEY,
    now,
  })
  for (let from = 0; from < checks; from += CREATED_AT_ONCE) {
    const length = Math.min(CREATED_AT_ONCE, checks - from)
    const slugs = Array.from({ length }, (_, index) => `job-${from + index}`)
    await store.pings.record(slugs.map(slug => aPing({ pingKey: PING_KEY, slug, create: true })))
  }
  const shown = await store.checks.showList(
    { projectId, version: 3, access: 'rw', now },
    { slug: null, tags: [] },
  )
  const listed = JSON.parse(Buffer.from(shown).toString()) as { checks: { uuid: string }[] }
  return listed.checks.map(({ uuid }) => uuid)
}

/** What one feeder did. */
export interface Fed {
  pings: number
  batches: number
  seconds: number
  /** Processor time of this process, all threads together (µs). */
  cpuUs: number
}

/** Records batches of pings of random checks, one after the other as a process of the program does, for `seconds`. */
export async function feed(
  store: StoreWith<'pings.record'>,
  uuids: readonly string[],
  batch: number,
  seconds: number,
): Promise<Fed> {
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  let batches = 0
  while (performance.now() - startedAt < seconds * 1000) {
    const some = Array.from({ length: batch }, () => aPing({ uuid: uuids[randomInt(uuids.length)]! }))
    const { outcomes } = await store.pings.record(some)
    if (outcomes.some(outcome => outcome !== 'ok')) throw new Error('a ping was not taken')
    batches++
  }
  const { user, system } = process.cpuUsage(cpu)
  return {
    pings: batches * batch,
    batches,
    seconds: (performance.now() - startedAt) / 1000,
    cpuUs: user + system,
  }
}

/** The cost of checks that are woken too early: the watcher sets each to its true deadline. */
export interface Rearmed {
  checks: number
  seconds: number
  cpuUs: number
}

/** The number of checks that one transaction of the watcher examines. */
const SLICE = 500

/** Examines the checks whose `wake_at` has passed, until none is left. */
export async function rearm(store: StoreWith<'alerts.declareDown'>): Promise<Rearmed> {
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  let checks = 0
  for (let more = true; more; ) {
    const looked = await store.alerts.declareDown(Date.now(), SLICE)
    if (looked.declared > 0) throw new Error('a check went down')
    more = looked.more
    checks += SLICE
  }
  const { user, system } = process.cpuUsage(cpu)
  return { checks, seconds: (performance.now() - startedAt) / 1000, cpuUs: user + system }
}

/** One line about the result. */
export function rearmedText(engine: string, { checks, seconds, cpuUs }: Rearmed): string {
  const perCheck = (cpuUs / checks).toFixed(1)
  return `${engine}: ${(checks / seconds).toFixed(0)} checks/s set to their true deadlines, ${perCheck} µs of the process each`
}

/** A ping as `curl` sends it. */
function aPing(target: ArrivedPing['target']): ArrivedPing {
  return arrivedPing(target, Date.now(), { scheme: 'https', remoteAddr: '203.0.113.17', ua: 'curl/8.14.1' })
}
