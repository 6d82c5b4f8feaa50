/**
 * What a ping costs each server of Citus beside one PostgreSQL, for several numbers of workers and sizes of batches:
 * `npm run bench:citus-model`. One process records batches without HTTP, on each in turn. Needs a PostgreSQL with Citus.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '../../src/lib/package-root.js'
import { openPostgresStore } from '../../src/storage/postgres/open.js'
import { refuseMemory } from '../disk.js'
import { median } from '../median.js'
import { feed, makeChecks } from '../model/pings.js'
import { benchSettings } from '../model/settings.js'
import { distribute, type Node, nameOf, openNodes, type State, stateOf } from './nodes.js'

const USAGE = `npm run bench:citus-model -- [options]

  --workers LIST   the numbers of workers to measure, separated by commas (1,2,4)
  --shards N       shards for each worker (2)
  --checks N       checks (8,000)
  --batches LIST   pings of a batch (64,512)
  --rounds N       how often each is measured (5)
  --seconds N      how long each time (2)`

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2,4' },
    shards: { type: 'string', default: '2' },
    checks: { type: 'string', default: '8000' },
    batches: { type: 'string', default: '64,512' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
})
const HEAD =
  '| servers | batch | pings/s | process µs | PostgreSQL or coordinator µs | all workers µs | its syncs/1000 | their syncs/1000 | its bytes | their bytes |\n' +
  `|${' --- |'.repeat(10)}`

if (values.help) console.log(USAGE)
else await main()

interface Site {
  name: string
  nodes: Node[]
  store: Awaited<ReturnType<typeof openPostgresStore>>
  uuids: string[]
}

/** What a ping took (µs, bytes), and syncs of a thousand pings; all workers together. */
interface Cost {
  perSecond: number
  process: number
  first: number
  workers: number
  syncs: number
  workerSyncs: number
  bytes: number
  workerBytes: number
}

async function main(): Promise<void> {
  const data = join(packageRoot, 'bench/.data')
  mkdirSync(data, { recursive: true })
  refuseMemory(data)
  const removals: (() => Promise<unknown>)[] = []
  const sites: Site[] = []
  try {
    for (const count of [0, ...numbersOf(values.workers)]) {
      const { nodes, remove } = await openNodes(count, data)
      removals.unshift(remove)
      const { url } = nodes[0]!
      const first = await openPostgresStore(url, benchSettings, { create: true })
      const uuids = await makeChecks(first, Number(values.checks))
      await first.close()
      await distribute(nodes, count * Number(values.shards))
      const store = await openPostgresStore(url, benchSettings, { create: false })
      removals.unshift(() => store.close())
      sites.push({ name: nameOf(nodes), nodes, store, uuids })
    }
    console.log(HEAD)
    for (const batch of numbersOf(values.batches)) {
      for (const { store, uuids } of sites) await feed(store, uuids, batch, 5)
      const costs = new Map<Site, Cost[]>(sites.map(site => [site, []]))
      for (let round = 0; round < Number(values.rounds); round++) {
        for (const site of sites) costs.get(site)!.push(await measure(site, batch))
      }
      for (const [{ name }, some] of costs) console.log(lineOf(name, batch, some))
    }
  } finally {
    for (const remove of removals) await remove()
  }
}

async function measure({ nodes, store, uuids }: Site, batch: number): Promise<Cost> {
  const before = await Promise.all(nodes.map(stateOf))
  const { pings, seconds, cpuUs } = await feed(store, uuids, batch, Number(values.seconds))
  const after = await Promise.all(nodes.map(stateOf))
  const spent = (name: keyof State) =>
    nodes.map((_, place) => (after[place]![name] - before[place]![name]) / pings)
  const [time, ...times] = spent('time')
  const [syncs, ...otherSyncs] = spent('syncs')
  const [bytes, ...otherBytes] = spent('bytes')
  return {
    perSecond: pings / seconds,
    process: cpuUs / pings,
    first: time!,
    workers: sum(times),
    syncs: syncs! * 1000,
    workerSyncs: sum(otherSyncs) * 1000,
    bytes: bytes!,
    workerBytes: sum(otherBytes),
  }
}

function lineOf(name: string, batch: number, costs: readonly Cost[]): string {
  const of = (key: keyof Cost) => median(costs.map(cost => cost[key]))
  const cells = [
    of('perSecond').toFixed(0),
    of('process').toFixed(1),
    of('first').toFixed(1),
    of('workers').toFixed(1),
    of('syncs').toFixed(1),
    of('workerSyncs').toFixed(1),
    of('bytes').toFixed(0),
    of('workerBytes').toFixed(0),
  ]
  return `| ${[name, batch, ...cells].join(' | ')} |`
}

function numbersOf(list: string): number[] {
  return list.split(',').map(Number)
}

function sum(some: readonly number[]): number {
  return some.reduce((total, one) => total + one, 0)
}
