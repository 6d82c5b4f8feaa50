/**
 * Lets checks go down at once on one PostgreSQL and on Citus: `npm run bench:citus-storm`. Prints how long that and the alerts took, how
 * long pings took beside it, and the processor time of each node. Needs a PostgreSQL with Citus.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '../../src/lib/package-root.js'
import { stormOn } from '../cases/storm-site.js'
import { openBeside } from '../database.js'
import { refuseMemory } from '../disk.js'
import { copyToPostgres } from '../postgres-site.js'
import { nextPort, startProgram } from '../program.js'
import { arrived, type Receiver, startReceiver } from '../receiver.js'
import { seed } from '../seed.js'
import { ask, distribute, type Node, nameOf, openNodes, stateOf } from './nodes.js'

const USAGE = `npm run bench:citus-storm -- [options]

  --workers LIST   the numbers of workers to measure, separated by commas (0,2); 0 is one PostgreSQL
  --shards N       shards of each table (4)
  --checks N       checks that go down (10,000)
  --rate N         pings per second of 1,000 other checks (300)`

/** From the start of the program to the moment at which the checks are due. */
const HEAD_START_MS = 8_000
const PINGED = 1_000
const DAY_MS = 86_400_000

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '0,2' },
    shards: { type: 'string', default: '4' },
    checks: { type: 'string', default: '10000' },
    rate: { type: 'string', default: '300' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(USAGE)
else await main()

async function main(): Promise<void> {
  const data = join(packageRoot, 'bench/.data')
  mkdirSync(data, { recursive: true })
  refuseMemory(data)
  for (const workers of values.workers.split(',').map(Number)) {
    const folder = mkdtempSync(join(data, 'citus-'))
    const { nodes, remove } = await openNodes(workers, data)
    const receiver = await startReceiver()
    try {
      await storm(nodes, join(folder, 'program'), receiver)
    } finally {
      await receiver.stop()
      await remove()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

async function storm(nodes: readonly Node[], folder: string, receiver: Receiver): Promise<void> {
  const count = Number(values.checks)
  const { url } = nodes[0]!
  const { checks } = seed(folder, { checks: count + PINGED, webhooks: [receiver.webhook('hook')] })
  const settings = copyToPostgres(folder, url)
  await distribute(nodes, Number(values.shards))
  const due = Date.now() + HEAD_START_MS
  await ask(
    url,
    `UPDATE checks SET due_at = ${due - 60_000}, alert_after = ${due}, wake_at = ${due}
      WHERE alert_after < ${due + 2 * DAY_MS} AND id <= ${count}`,
  )
  const program = await startProgram(folder, nextPort(), '/live', settings)
  try {
    const site = { origin: program.origin, checks, openDatabase: () => openBeside(folder, url) }
    const before = await Promise.all(nodes.map(stateOf))
    const found = await stormOn({ site, count, rate: Number(values.rate), due }, async () => {
      const arrivals = await arrived(receiver, () => true, count, 120_000)
      return { deliveredMs: arrivals.reduce((latest, { at }) => Math.max(latest, at), 0) - due }
    })
    const after = await Promise.all(nodes.map(stateOf))
    const seconds = nodes.map(({ name }, place) => {
      const spent = (after[place]!.time - before[place]!.time) / 1_000_000
      return `${name} ${spent.toFixed(1)} s`
    })
    console.log(
      `${nameOf(nodes)}: all down after ${found.flipsMs} ms, all delivered after ${found.deliveredMs} ms, ping p99 ${found.p99.toFixed(0)} ms; processor time ${seconds.join(', ')}`,
    )
  } finally {
    await program.stop()
  }
}
