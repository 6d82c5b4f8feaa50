/**
 * Measures pings on one PostgreSQL and on Citus beside it: `npm run bench:citus`. All databases and programs run at the same
 * time and are loaded in turn, because what matters is how the work of each server compares. Needs a PostgreSQL with Citus.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '../../src/lib/package-root.js'
import { refuseMemory } from '../disk.js'
import { load } from '../load/load.js'
import { loadPaced } from '../load/paced.js'
import { median } from '../median.js'
import { processorTime } from '../processor-time.js'
import { openNodes, type State, stateOf } from './nodes.js'
import { type CitusSite, openCitusSite } from './site.js'

const USAGE = `npm run bench:citus -- [options]

  --workers LIST   the numbers of workers to measure, separated by commas (1,2)
  --shards N       shards of each table (8)
  --checks N       checks (4,000)
  --rounds N       how often each is loaded (6)
  --rate N         pings per second of the load that is evenly spaced (300)`

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2' },
    shards: { type: 'string', default: '8' },
    checks: { type: 'string', default: '4000' },
    rounds: { type: 'string', default: '6' },
    rate: { type: 'string', default: '300' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(USAGE)
else await main()

interface Measured extends CitusSite {
  figures: Figures[]
}

/** What one load took; of each node by its place. */
interface Figures {
  rate: number
  program: number
  /** Processor time a ping (µs). */
  node: number[]
  /** Syncs of the log of writes, a thousand pings. */
  syncs: number[]
  /** Bytes to and from clients and other nodes, a ping. */
  bytes: number[]
}

async function main(): Promise<void> {
  const data = join(packageRoot, 'bench/.data')
  mkdirSync(data, { recursive: true })
  refuseMemory(data)
  const folder = mkdtempSync(join(data, 'citus-'))
  const removals: (() => Promise<unknown>)[] = []
  const sites: Measured[] = []
  try {
    for (const count of [0, ...values.workers.split(',').map(Number)]) {
      const open = await openNodes(count, data)
      removals.unshift(open.remove)
      const how = { checks: Number(values.checks), shards: Number(values.shards) }
      const site = await openCitusSite(open.nodes, join(folder, String(count)), how)
      removals.unshift(() => site.program.stop())
      sites.push({ ...site, figures: [] })
    }
    for (const { program, paths } of sites) {
      await load({ origin: program.origin, paths, connections: 64, seconds: 6 })
    }
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const site of sites) site.figures.push(await measure(site))
    }
    for (const site of sites) await report(site)
  } finally {
    for (const remove of removals) await remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure({ program, paths, nodes }: CitusSite): Promise<Figures> {
  const seconds = 2
  const [before, alone] = [await Promise.all(nodes.map(stateOf)), processorTime(program.pid)]
  const { rate } = await load({ origin: program.origin, paths, connections: 64, seconds })
  const pings = rate * seconds
  const ownTime = (processorTime(program.pid) - alone) / pings
  const after = await Promise.all(nodes.map(stateOf))
  const spent = (name: keyof State) =>
    nodes.map((_, place) => (after[place]![name] - before[place]![name]) / pings)
  return {
    rate,
    program: ownTime,
    node: spent('time'),
    syncs: spent('syncs').map(some => some * 1000),
    bytes: spent('bytes'),
  }
}

async function report({ name, figures, nodes, program, paths }: Measured): Promise<void> {
  const of = (pick: (one: Figures) => number) => median(figures.map(pick))
  const rate = Number(values.rate)
  const paced = await loadPaced({ origin: program.origin, paths, connections: 32, seconds: 10, rate })
  console.log(
    `\n${name}: ${of(one => one.rate).toFixed(0)} pings/s, program ${of(one => one.program).toFixed(1)} µs a ping, ` +
      `p99 ${paced.p99.toFixed(1)} ms at ${rate}/s`,
  )
  for (const [place, node] of nodes.entries()) {
    const [time, syncs, bytes] = [
      of(one => one.node[place]!),
      of(one => one.syncs[place]!),
      of(one => one.bytes[place]!),
    ]
    console.log(
      `  ${node.name.padEnd(12)} ${time.toFixed(1).padStart(6)} µs a ping, ${syncs.toFixed(1)} syncs a thousand pings, ` +
        `${bytes.toFixed(0)} bytes a ping`,
    )
  }
}
