/**
 * Compares two versions of the program by turns: `npm run bench:turns -- --old CHECKOUT`. Both run at once, each twice,
 * since two processes of one version differ by up to ten per cent; each is loaded for a second in its turn.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { packageRoot } from '../src/lib/package-root.js'
import { startCluster, withDatabase } from '../test/_support/servers/postgres-server.js'
import { load } from './load/load.js'
import { median } from './median.js'
import { nextPort, type Program, processorTime, residentMb, startProgram } from './program.js'
import type { Seeded } from './seed.js'
import { fillServer } from './site.js'

const USAGE = `npm run bench:turns -- --old CHECKOUT [options]

  --old CHECKOUT   a built checkout of the version to compare with; this one with itself when absent
  --old-node PATH  the Node.js that runs the old version (the one that runs this)
  --postgres       on a PostgreSQL server started for this, a database for each program
  --only WORD      only the loads whose name contains the word
  --rounds N       how often each program is loaded (10)`

/** Settings of PostgreSQL as in the other cases: memory alone differs from what it comes with, every commit is synced. */
const SERVER_SETTINGS = ['shared_buffers=256MB', 'max_wal_size=4GB']
const COPIES = 2
const CHECKS = 1_000

interface Side {
  name: 'new' | 'old'
  main: string
  node: string
}

interface Running {
  side: Side['name']
  program: Program
  site: Pick<Seeded, 'checks' | 'key'>
}

/** What is asked of each program. */
const LOADS: Record<
  string,
  (site: Running['site']) => { paths: string[]; connections: number; keyed?: true; posted?: string }
> = {
  ping: ({ checks }) => ({ paths: checks.map(({ uuid }) => `/ping/${uuid}`), connections: 64 }),
  'ping-1kB': ({ checks }) => ({
    paths: checks.map(({ uuid }) => `/ping/${uuid}`),
    connections: 64,
    posted: 'x'.repeat(1_000),
  }),
  'get-check': ({ checks }) => ({
    paths: checks.map(({ uuid }) => `/api/v3/checks/${uuid}`),
    connections: 16,
    keyed: true,
  }),
  list: () => ({ paths: ['/api/v3/checks/'], connections: 2, keyed: true }),
}

const { values } = parseArgs({
  options: {
    old: { type: 'string', default: packageRoot },
    'old-node': { type: 'string', default: process.execPath },
    postgres: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '10' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(USAGE)
else await main()

async function main(): Promise<void> {
  const sides: Side[] = [
    { name: 'new', main: join(packageRoot, 'dist/main.js'), node: process.execPath },
    { name: 'old', main: join(values.old, 'dist/main.js'), node: values['old-node'] },
  ]
  const cluster = values.postgres ? await startCluster(SERVER_SETTINGS) : null
  mkdirSync(join(packageRoot, 'bench/.data'), { recursive: true })
  const folder = mkdtempSync(join(packageRoot, 'bench/.data', 'turns-'))
  const running: Running[] = []
  try {
    for (let copy = 0; copy < COPIES; copy++) {
      for (const side of sides)
        running.push(await start(side, join(folder, `${side.name}-${copy}`), cluster?.url ?? null))
    }
    report(
      'idle memory',
      'MB',
      running.map(({ side, program }) => ({ side, value: residentMb(program.pid) })),
    )
    for (const name of Object.keys(LOADS).filter(name => name.includes(values.only)))
      await compare(name, running)
    report(
      'memory after',
      'MB',
      running.map(({ side, program }) => ({ side, value: residentMb(program.pid) })),
    )
  } finally {
    await Promise.all(running.map(({ program }) => program.stop()))
    await cluster?.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function start({ name, main, node }: Side, folder: string, server: string | null): Promise<Running> {
  const settings: Record<string, string> = {
    SECRET_KEY: randomBytes(32).toString('hex'),
    REGISTRATION_OPEN: 'False',
  }
  if (server) settings.DATABASE_URL = await newDatabase(server)
  const program = await startProgram(folder, nextPort(), '/live', settings, { main, node })
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: folder,
    SITE_ROOT: program.origin,
    CHECK_LIMIT: '1000000000',
    ...settings,
  }
  const made = spawnSync(node, [main, 'project', 'create', 'Bench', '--json'], { env, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr)
  const { checks, key } = await fillServer(
    { url: program.origin, key: JSON.parse(made.stdout).api_key },
    CHECKS,
  )
  return { side: name, program, site: { checks, key } }
}

/** A database of its own on the server at `url`. */
async function newDatabase(url: string): Promise<string> {
  const name = `turns_${randomBytes(4).toString('hex')}`
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  return withDatabase(url, name)
}

/** Loads every program in its turn, and prints how the new ones stand to the old ones. */
async function compare(name: string, running: readonly Running[]): Promise<void> {
  const rates: Figure[] = []
  const costs: Figure[] = []
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const { side, program, site } of running) {
      const { paths, connections, keyed, posted } = LOADS[name]!(site)
      const before = processorTime(program.pid)
      const { rate } = await load({
        origin: program.origin,
        paths,
        connections,
        seconds: 1,
        ...(keyed && { headers: { 'X-Api-Key': site.key } }),
        ...(posted && { method: 'POST', body: posted }),
      })
      // The first round warms up.
      if (round === 0) continue
      rates.push({ side, value: rate })
      costs.push({ side, value: (processorTime(program.pid) - before) / rate })
    }
  }
  report(`${name}: rate`, '/s', rates)
  report(`${name}: processor time`, 'µs', costs)
}

interface Figure {
  side: Side['name']
  value: number
}

/** Prints the median of both, and the median of new to old over what was measured one after the other. */
function report(what: string, unit: string, figures: readonly Figure[]): void {
  const of = (name: Side['name']) => figures.filter(({ side }) => side === name).map(({ value }) => value)
  const [fresh, old] = [of('new'), of('old')]
  const ratio = median(fresh.map((value, index) => value / old[index]!))
  const shown = (value: number) => value.toFixed(value < 100 ? 1 : 0)
  console.log(
    `${what.padEnd(28)} new ${shown(median(fresh))} ${unit}, old ${shown(median(old))} ${unit}: ${(100 * ratio).toFixed(0)} %`,
  )
}
