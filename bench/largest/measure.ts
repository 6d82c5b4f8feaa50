/** Does an act on a database of its own, while another tenant's jobs ping and fail. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openBeside } from '../database.js'
import { percentile } from '../median.js'
import type { Options } from '../options.js'
import { dropDatabase, makeDatabase } from '../postgres-site.js'
import { nextPort, startProgram } from '../program.js'
import type { Receiver } from '../receiver.js'
import type { Act } from './act.js'
import { type Arena, copyArena, QUIET, SILENT_AFTER_MS } from './arena.js'
import { type QuietPing, startQuiet } from './quiet.js'
import { openTenant } from './tenant.js'

/** What the quiet tenant noticed from the beginning of the act on (ms). */
export interface Noticed {
  p50: number
  p99: number
  max: number
  /** The longest in the two seconds before the act. */
  maxBefore: number
  refused: number
  /** The longest delay of an alert, that of the 99th percentile, and how many never came. */
  alertMax: number
  alertP99: number
  missing: number
  actMs: number
}

const BEFORE_MS = 2_000
const AFTER_MS = 3_000
/** Pings sent so short before the act may be answered after its beginning. */
const MARGIN_MS = 250
const ALERTS_WITHIN_MS = 60_000

/** Rejects if the act fails, since then it says nothing. `receiver`: that of the quiet tenant's alerts. */
export async function measure(
  options: Options,
  arena: Arena,
  one: Act,
  receiver: Receiver,
): Promise<Noticed> {
  const folder = join(options.folder, `largest-${process.pid}`)
  copyArena(arena, folder)
  const { server } = options
  const database = server && (await makeDatabase(server, arena.template!.database.name))
  const url = database?.url
  const settings: Record<string, string> = {
    ...(database && { ...arena.template!.settings, DATABASE_URL: database.url }),
  }
  if (one.alter) {
    const before = await openBeside(folder, url)
    await one.alter(before)
    await before.close()
  }
  await receiver.forget()
  const program = await startProgram(folder, nextPort(), `/ping/${arena.checks.at(-1)!.uuid}`, settings)
  try {
    const { origin } = program
    const tenant = await openTenant(arena, { origin, folder, settings })
    await one.prepare?.(tenant)
    const paths = quietPaths(arena)
    const stop = startQuiet({ origin, ...paths })
    await sleep(BEFORE_MS)
    const begun = Date.now()
    const error = await one.act(tenant).then(
      () => null,
      (error: unknown) => error ?? new Error('failed'),
    )
    const actMs = Date.now() - begun
    await sleep(one.afterMs ?? AFTER_MS)
    const pings = await stop()
    if (error) throw error
    return { ...(await noticed(pings, begun, arena, receiver)), actMs }
  } finally {
    await program.stop()
    if (database) await dropDatabase(server!, database)
    rmSync(folder, { recursive: true })
  }
}

async function noticed(
  all: readonly QuietPing[],
  begun: number,
  { firstQuiet }: Arena,
  receiver: Receiver,
): Promise<Omit<Noticed, 'actMs'>> {
  const pings = all.filter(({ at }) => at >= begun)
  const expected = new Map<number, number>()
  for (const { what, place, at, isRefused } of all) {
    if (isRefused || what === 'pinged') continue
    const dueAt = what === 'failing' ? at : at + SILENT_AFTER_MS
    const first = firstQuiet + QUIET.pinged + (what === 'failing' ? 0 : QUIET.failing)
    if (dueAt >= begun) expected.set(first + place, dueAt)
  }
  const delays = await alertDelays(expected, receiver)
  const ms = pings.map(one => one.ms)
  return {
    p50: percentile(ms, 0.5),
    p99: percentile(ms, 0.99),
    max: percentile(ms, 1),
    maxBefore: percentile(
      all.filter(({ at }) => at < begun - MARGIN_MS).map(one => one.ms),
      1,
    ),
    refused: pings.filter(({ isRefused }) => isRefused).length,
    alertMax: percentile(delays, 1),
    alertP99: percentile(delays, 0.99),
    missing: expected.size - delays.length,
  }
}

/** Waits for the alerts of these checks, each with the instant at which it was due. */
async function alertDelays(expected: ReadonlyMap<number, number>, receiver: Receiver): Promise<number[]> {
  const deadline = Date.now() + ALERTS_WITHIN_MS
  for (;;) {
    const arrivals = (await receiver.arrivals()).filter(({ number }) => expected.has(number))
    if (arrivals.length === expected.size || Date.now() > deadline) {
      return arrivals.map(({ number, at }) => at - expected.get(number)!)
    }
    await sleep(200)
  }
}

function quietPaths({ checks, firstQuiet }: Arena) {
  const paths = (from: number, count: number, end = '') =>
    checks.slice(from, from + count).map(({ uuid }) => `/ping/${uuid}${end}`)
  const failing = firstQuiet + QUIET.pinged
  return {
    pinged: paths(firstQuiet, QUIET.pinged),
    failing: paths(failing, QUIET.failing, '/fail'),
    silent: paths(failing + QUIET.failing, QUIET.silent),
  }
}

async function sleep(ms: number): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, ms))
}
