/**
 * Compares versions and engines: `npm run bench:turns -- --old CHECKOUT --engine both`. All programs run at the same
 * time and are loaded in turn for a second each. Each version runs twice by default, since two processes of one
 * version differ by up to ten per cent.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '../src/lib/package-root.js'
import { startCluster } from '../test/_support/servers/postgres-server.js'
import { load } from './load/load.js'
import { median } from './median.js'
import { SERVER_SETTINGS } from './postgres-site.js'
import { processorTime, spentBetween } from './processor-time.js'
import { residentMb } from './program.js'
import { LOADS } from './turns/loads.js'
import { type Running, type Side, start } from './turns/start.js'

const USAGE = `npm run bench:turns -- [options]

  --old CHECKOUT   a built checkout of the version to compare with; absent: this version alone
  --old-node PATH  the Node.js that runs the old version (the one that runs this)
  --engine NAME    sqlite (the default), postgres, or both, which are compared
  --only WORDS     only the loads whose name contains one of the words, separated by commas
  --rounds N       how often each program is loaded (10)
  --copies N       programs of each kind (2)
  --checks N       checks on each (1,000)`

/**
 * After this much processor time (µs) a program has compiled what a load needs, which takes long on a busy machine.
 */
const WARM_US = 1_500_000
const LONGEST_WARM_UP_S = 8

const { values } = parseArgs({
  options: {
    old: { type: 'string' },
    'old-node': { type: 'string', default: process.execPath },
    engine: { type: 'string', default: 'sqlite' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '10' },
    copies: { type: 'string', default: '2' },
    checks: { type: 'string', default: '1000' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(USAGE)
else await main()

function sidesOf(): Side[] {
  const versions = [
    { version: 'new', main: join(packageRoot, 'dist/main.js'), node: process.execPath } as const,
    ...(values.old === undefined
      ? []
      : [{ version: 'old', main: join(values.old, 'dist/main.js'), node: values['old-node'] } as const]),
  ]
  const engines = (['sqlite', 'postgres'] as const).filter(
    engine => values.engine === 'both' || values.engine === engine,
  )
  return engines.flatMap(engine => versions.map(version => ({ ...version, engine })))
}

async function main(): Promise<void> {
  const sides = sidesOf()
  const cluster = sides.some(({ engine }) => engine === 'postgres')
    ? await startCluster(SERVER_SETTINGS)
    : null
  mkdirSync(join(packageRoot, 'bench/.data'), { recursive: true })
  const folder = mkdtempSync(join(packageRoot, 'bench/.data', 'turns-'))
  const running: Running[] = []
  try {
    for (let copy = 0; copy < Number(values.copies); copy++) {
      for (const side of sides) {
        const own = join(folder, `${side.version}-${side.engine}-${copy}`)
        running.push(await start(side, own, cluster, Number(values.checks)))
      }
    }
    const memory = () => running.map(({ side, program }) => ({ side, value: residentMb(program.pid) }))
    report('idle memory', 'MB', memory())
    const words = values.only.split(',')
    for (const name of Object.keys(LOADS)) {
      if (words.some(word => name.includes(word))) await compare(name, running)
    }
    report('memory after', 'MB', memory())
  } finally {
    await Promise.all(running.map(({ program }) => program.stop()))
    await cluster?.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Loads all programs in turn, and prints how they compare. */
async function compare(name: string, running: readonly Running[]): Promise<void> {
  const rates: Figure[] = []
  const costs: Figure[] = []
  const program: Figure[] = []
  for (const one of running) await warmUp(name, one)
  for (let round = 0; round < Number(values.rounds); round++) {
    // There and back: what a program still does after its turn falls on the next, which must not always be the same.
    for (const one of round % 2 === 0 ? running : running.toReversed()) {
      const [before, alone] = [one.times(), processorTime(one.program.pid)]
      const rate = await loadFor(1, name, one)
      rates.push({ side: one.side, value: rate })
      program.push({ side: one.side, value: (processorTime(one.program.pid) - alone) / rate })
      costs.push({ side: one.side, value: spentBetween(before, one.times()) / rate })
    }
  }
  report(`${name}: rate`, '/s', rates)
  report(`${name}: processor time`, 'µs', costs)
  report(`${name}: of the program`, 'µs', program)
}

async function warmUp(name: string, one: Running): Promise<void> {
  const start = processorTime(one.program.pid)
  for (let second = 0; second < LONGEST_WARM_UP_S; second++) {
    await loadFor(1, name, one)
    if (processorTime(one.program.pid) - start > WARM_US) break
  }
}

/** Puts a load on a program and returns its answers per second. */
async function loadFor(seconds: number, name: string, one: Running): Promise<number> {
  return (await load({ origin: one.program.origin, seconds, ...LOADS[name]!(one) })).rate
}

interface Figure {
  side: Side
  value: number
}

/** Prints the medians, and the medians of the ratios of values that were measured one after the other. */
function report(what: string, unit: string, figures: readonly Figure[]): void {
  const of = (version: Side['version'], engine: Side['engine']) =>
    figures.filter(({ side }) => side.version === version && side.engine === engine).map(({ value }) => value)
  const shown = (number: number) => number.toFixed(number < 100 ? 1 : 0)
  const parts: string[] = []
  const compared = (name: string, ours: number[], theirs: number[]) => {
    if (ours.length === 0 || theirs.length === 0) return
    parts.push(`${name} ${shown(100 * median(ours.map((value, index) => value / theirs[index]!)))} %`)
  }
  for (const version of ['old', 'new'] as const) {
    for (const engine of ['sqlite', 'postgres'] as const) {
      const some = of(version, engine)
      if (some.length > 0) parts.push(`${version} ${engine} ${shown(median(some))} ${unit}`)
    }
    compared(`${version} postgres/sqlite`, of(version, 'postgres'), of(version, 'sqlite'))
  }
  for (const engine of ['sqlite', 'postgres'] as const)
    compared(`new/old on ${engine}`, of('new', engine), of('old', engine))
  console.log(`${what.padEnd(30)} ${parts.join(', ')}`)
}
