/**
 * Adds a worker to Citus and moves shards to it while pings come in: `npm run bench:citus-rebalance`. Prints how many requests
 * failed, how long they took, and whether every acknowledged ping is there. Needs a PostgreSQL with Citus.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { packageRoot } from '../../src/lib/package-root.js'
import { refuseMemory } from '../disk.js'
import type { Loaded } from '../load/load.js'
import { load } from '../load/load.js'
import { sendPaced } from '../load/paced.js'
import { addWorker, ask, type Node, openNodes } from './nodes.js'
import { type CitusSite, openCitusSite } from './site.js'

const USAGE = `npm run bench:citus-rebalance -- [options]

  --workers N      workers before one is added (2)
  --shards N       shards of each table (6)
  --checks N       checks (4,000)
  --rate N         pings per second (2,000)
  --log-seconds N  for how long the log is filled before, as fast as possible (30)`

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '2' },
    shards: { type: 'string', default: '6' },
    checks: { type: 'string', default: '4000' },
    rate: { type: 'string', default: '2000' },
    'log-seconds': { type: 'string', default: '30' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(USAGE)
else await main()

async function main(): Promise<void> {
  const data = join(packageRoot, 'bench/.data')
  mkdirSync(data, { recursive: true })
  refuseMemory(data)
  const folder = mkdtempSync(join(data, 'citus-'))
  const { nodes, remove } = await openNodes(Number(values.workers) + 1, data)
  let site: CitusSite | null = null
  try {
    const how = { checks: Number(values.checks), shards: Number(values.shards) }
    site = await openCitusSite(nodes.slice(0, -1), join(folder, 'program'), how)
    await rebalance(site, nodes[0]!, nodes.at(-1)!)
  } finally {
    await site?.program.stop()
    await remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function rebalance({ program, paths }: CitusSite, coordinator: Node, added: Node): Promise<void> {
  const rate = Number(values.rate)
  const send = (seconds: number) =>
    sendPaced({ origin: program.origin, paths, connections: 64, seconds, rate })
  const fill = { origin: program.origin, paths, connections: 64, seconds: Number(values['log-seconds']) }
  await load(fill)
  await send(5)
  const counted = await countPings(coordinator)
  print('before', [await send(10)])

  await addWorker(coordinator, added)
  await ask(coordinator.url, 'SELECT citus_rebalance_start()')
  const startedAt = performance.now()
  const during: Loaded[] = []
  do during.push(await send(5))
  while (!(await isBalanced(coordinator)))
  print('while shards moved', during)
  console.log(`  ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)

  await sleep(1000)
  const after = await send(10)
  print('after', [after])
  const sent = 10 * rate * 2 + during.length * 5 * rate
  const there = (await countPings(coordinator)) - counted
  console.log(
    `${there} of ${sent} pings are recorded; ${await shardsOn(coordinator, added)} on the new worker`,
  )
}

/** The pings that are counted by their checks. */
async function countPings({ url }: Node): Promise<number> {
  const [row] = await ask(url, 'SELECT sum(n_pings)::int AS pings FROM checks')
  return row!.pings as number
}

async function isBalanced({ url }: Node): Promise<boolean> {
  const [row] = await ask(url, 'SELECT state::text, details::text FROM citus_rebalance_status()')
  if (row?.state === 'failed') throw new Error(`shards were not moved: ${row.details}`)
  return row === undefined || row.state === 'finished'
}

async function shardsOn({ url }: Node, worker: Node): Promise<string> {
  const port = new URL(worker.url).port
  const [row] = await ask(
    url,
    `SELECT count(*) FILTER (WHERE nodeport = ${port})::int AS there, count(*)::int AS shards
     FROM citus_shards WHERE table_name = 'checks'::regclass`,
  )
  return `${row!.there} of ${row!.shards} shards of checks`
}

function print(what: string, loads: readonly Loaded[]): void {
  const most = (pick: (one: Loaded) => number) => Math.max(...loads.map(pick)).toFixed(1)
  const bad = loads.reduce((sum, one) => sum + one.bad, 0)
  const p99 = loads.map(one => one.p99.toFixed(1)).join(', ')
  console.log(`${what}: ${bad} failed, p99 ${p99} ms, at most ${most(one => one.max)} ms`)
}
