/**
 * Kills the running program at random moments under load and looks at what is left: `npm run test:kill`, with a
 * number of kills after `--` (50 unless given). Each round starts the program on the same database, sends pings
 * as fast as it takes them, and ends it with SIGKILL. Afterwards:
 *
 * - the database opens and is whole;
 * - every ping that was answered 200 is in the log, once;
 * - `n_pings` and the log agree, without gaps;
 * - each check's state is what its log and its flips say, so nothing is half-changed;
 * - each flip that people are told of was delivered, or was superseded by a newer one and says so;
 * - a delivery is repeated at most once a kill, under the same idempotency key.
 *
 * With `postgres` after the number the program runs on PostgreSQL. Then every other kill is one of the database
 * server, which crashes and recovers while the program goes on, and what is left is copied to SQLite and looked at
 * there, so that the move is tried as well.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { OUTAGE_AFTER_MS } from '../../src/core/outage.js'
import { packageRoot } from '../../src/lib/package-root.js'
import { openSide } from '../../src/storage/copy/side.js'
import { type Cluster, startCluster } from '../_support/postgres-server.js'
import { type Received, startReceiver } from './receiver.js'

const KILLS = Number(process.argv[2] ?? 50)
const ON_POSTGRES = process.argv[3] === 'postgres'
const CHECKS = 40
const CLIENTS = 32
const PORT = 20_000 + randomInt(20_000)
const SITE = `http://127.0.0.1:${PORT}`

const main = join(packageRoot, 'dist/main.js')
const folder = mkdtempSync(join(tmpdir(), 'punctual-kill-'))
const env: Record<string, string | undefined> = {
  ...process.env,
  DATA_DIR: folder,
  PORT: String(PORT),
  HOST: '127.0.0.1',
  SITE_ROOT: SITE,
  PING_LOG_LIMIT: '1000000000',
  INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True',
  LOG_FORMAT: 'json',
}
const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })

interface Acknowledged {
  uuid: string
  rid: string
}

const received: Received = new Map()
const acknowledged: Acknowledged[] = []
let refused = 0

/** The program under test, and its database server, while they run. */
const running: { server?: ChildProcess; cluster?: Cluster } = {}

try {
  await run()
} finally {
  running.server?.kill('SIGKILL')
  await running.cluster?.remove()
  agent.destroy()
  rmSync(folder, { recursive: true, force: true })
}

async function run(): Promise<void> {
  const receiver = await startReceiver(received)
  if (ON_POSTGRES) {
    running.cluster = await startCluster([])
    Object.assign(env, { DATABASE_URL: running.cluster.url, SECRET_KEY: 'known to the tests alone' })
  }
  await punctual('migrate')
  const project = JSON.parse(await punctual('project', 'create', 'Load', '--json'))
  const settings = ['url_down', 'url_up'].map(field => `${field}=http://127.0.0.1:${receiver.port}/`)
  const methods = ['method_down=POST', 'method_up=POST', 'body_down=$CODE down $NOW', 'body_up=$CODE up $NOW']
  const set = [...settings, ...methods].flatMap(pair => ['--set', pair])
  await punctual(
    'channel',
    'add',
    '--project',
    project.uuid,
    '--kind',
    'webhook',
    '--name',
    'Receiver',
    ...set,
  )
  let server = await startServer()
  const uuids: string[] = []
  for (let index = 0; index < CHECKS; index++) {
    const made = await call('POST', '/api/v3/checks/', JSON.stringify({ name: `c${index}`, channels: '*' }), {
      'X-Api-Key': project.api_key,
    })
    assert.equal(made.status, 201, made.body)
    uuids.push(JSON.parse(made.body).uuid)
  }
  for (let kill = 1; kill <= KILLS; kill++) {
    const load = startLoad(uuids)
    await new Promise(resolve => setTimeout(resolve, randomInt(50, 1_200)))
    if (running.cluster && kill % 2 === 0) {
      await running.cluster.stop('SIGQUIT')
      await new Promise(resolve => setTimeout(resolve, randomInt(50, 500)))
      await running.cluster.start()
      await serves()
      await load.stop()
    } else {
      server.kill('SIGKILL')
      await once(server, 'exit')
      await load.stop()
      server = await startServer()
    }
    process.stdout.write(`kill ${kill}: ${acknowledged.length} pings acknowledged so far\n`)
  }
  await settled()
  server.kill('SIGTERM')
  const [code] = await once(server, 'exit')
  assert.equal(code, 0, 'the program ends with 0 after SIGTERM')
  receiver.close()
  if (running.cluster) await copyToSqlite()
  examine(uuids)
}

function examine(uuids: string[]): void {
  const database = new Database(join(folder, 'punctual.db'))
  assert.equal(database.pragma('integrity_check', { simple: true }), 'ok')
  assert.equal(database.pragma('journal_mode', { simple: true }), 'wal')
  const all = <T>(sql: string, ...values: unknown[]) => database.prepare(sql).all(...values) as T[]

  const times = new Map(
    all<{ rid: string; times: number }>('SELECT rid, count(*) AS times FROM pings GROUP BY rid').map(row => [
      row.rid,
      row.times,
    ]),
  )
  const lost = acknowledged.filter(({ rid }) => times.get(rid) !== 1)
  assert.deepEqual(lost, [], 'every acknowledged ping is in the log, once')

  for (const uuid of uuids) {
    const [check] = all<Record<string, number | string | null>>('SELECT * FROM checks WHERE uuid = ?', uuid)
    const log = all<{ n: number; kind: string; created_at: number; rid: string }>(
      'SELECT n, kind, created_at, rid FROM pings WHERE check_id = ? ORDER BY id',
      check!.id,
    )
    assert.deepEqual(
      log.map(ping => ping.n),
      log.map((_, index) => index + 1),
      'the log has no gaps',
    )
    assert.equal(check!.n_pings, log.length, 'n_pings agrees with the log')
    const ending = log.filter(ping => ping.kind === 'success' || ping.kind === 'fail').at(-1)
    assert.equal(check!.last_ping, ending?.created_at ?? null, 'last_ping is the last end of a run')
    if (ending)
      assert.equal(check!.status, ending.kind === 'success' ? 'up' : 'down', 'the status follows the log')
    assert.equal(check!.due_at !== null, check!.status === 'up', 'a check is due exactly while it is up')
    const flips = all<{ old_status: string; new_status: string }>(
      'SELECT old_status, new_status FROM flips WHERE check_id = ? ORDER BY id',
      check!.id,
    )
    assert.equal(flips.at(-1)?.new_status ?? 'new', check!.status, 'the last flip led to the status')
    for (const [index, flip] of flips.entries()) {
      assert.equal(
        flip.old_status,
        flips[index - 1]?.new_status ?? 'new',
        'each flip begins where the last ended',
      )
    }
    const changes = log.filter(ping => ping.kind === 'success' || ping.kind === 'fail')
    const expected = changes.filter((ping, index) => ping.kind !== changes[index - 1]?.kind)
    assert.equal(flips.length, expected.length, 'each change in the log made one flip')
  }

  const [{ open }] = all<{ open: number }>('SELECT count(*) AS open FROM deliveries') as [{ open: number }]
  assert.equal(open, 0, 'nothing is left to deliver')
  const alerts = all<{ uuid: string; id: number; new_status: string; created_at: number }>(
    `SELECT f.id, f.new_status, f.created_at, c.uuid FROM flips f JOIN checks c ON c.id = f.check_id
     WHERE f.new_status = 'down' OR (f.new_status = 'up' AND f.old_status = 'down')`,
  )
  const attempts = all<{ flip_id: number; delivery_uuid: string; error: string }>(
    'SELECT * FROM notifications',
  )
  const byFlip = new Map<number, typeof attempts>()
  for (const attempt of attempts)
    byFlip.set(attempt.flip_id, [...(byFlip.get(attempt.flip_id) ?? []), attempt])
  let superseded = 0
  for (const alert of alerts) {
    const tries = byFlip.get(alert.id) ?? []
    assert.ok(tries.length > 0, 'each alerting flip has a delivery')
    const key = tries[0]!.delivery_uuid
    assert.ok(
      tries.every(attempt => attempt.delivery_uuid === key),
      'all attempts have one idempotency key',
    )
    if (tries.some(attempt => attempt.error.startsWith('Superseded'))) superseded++
    else {
      const at = `${new Date(alert.created_at).toISOString().slice(0, 19)}+00:00`
      assert.equal(received.get(key)?.body, `${alert.uuid} ${alert.new_status} ${at}`, 'the alert arrived')
    }
  }
  const repeats = [...received.values()].map(({ times: count }) => count - 1)
  const repeated = repeats.filter(count => count > 0)
  assert.ok(Math.max(0, ...repeats) <= KILLS, 'a delivery is repeated at most once a kill')
  database.close()
  console.log(`
${KILLS} kills, ${acknowledged.length} pings acknowledged, ${refused} not; all of the acknowledged in the log
${alerts.length} alerts: ${alerts.length - superseded} delivered, ${superseded} superseded by newer ones and marked so
${repeated.length} deliveries repeated, ${Math.max(0, ...repeats)} times at most`)
}

function startLoad(uuids: string[]) {
  let stopped = false
  const client = async () => {
    while (!stopped) {
      const uuid = uuids[randomInt(uuids.length)]!
      const rid = randomUUID()
      const action = ['', '', '', '/fail', '/start', '/log'][randomInt(6)]
      const body = randomInt(3) === 0 ? 'x'.repeat(randomInt(2_000)) : undefined
      const answer = await call('POST', `/ping/${uuid}${action}?rid=${rid}`, body).catch(() => null)
      if (answer?.status === 200) acknowledged.push({ uuid, rid })
      else refused++
      if (answer === null) await new Promise(resolve => setTimeout(resolve, 5))
    }
  }
  const clients = Array.from({ length: CLIENTS }, client)
  return {
    async stop() {
      stopped = true
      await Promise.all(clients)
    },
  }
}

/** Waits until nothing is left to deliver. */
async function settled(): Promise<void> {
  const side = await openSide(env.DATABASE_URL ?? `sqlite:${join(folder, 'punctual.db')}`, { create: false })
  const deadline = Date.now() + 120_000
  while (await side.sql.selectFrom('deliveries').select('id').limit(1).executeTakeFirst()) {
    assert.ok(Date.now() < deadline, 'the deliveries come to an end')
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  await side.close()
}

async function copyToSqlite(): Promise<void> {
  // A source counts as in use for as long after the last beat.
  await new Promise(resolve => setTimeout(resolve, OUTAGE_AFTER_MS + 1_000))
  process.stdout.write(
    await punctual('copy', '--from', env.DATABASE_URL!, '--to', `sqlite:${join(folder, 'punctual.db')}`),
  )
}

async function startServer(): Promise<ChildProcess> {
  const log = openSync(join(folder, 'log'), 'a')
  const started = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'ignore', log] })
  running.server = started
  closeSync(log)
  await serves()
  return started
}

/** Waits until the program says that all is well. */
async function serves(): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await call('GET', '/api/v3/status/').catch(() => null)
    if (answer?.status === 200) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error('the program did not start')
}

async function punctual(...args: string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [main, ...args], { env })).stdout
}

async function call(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
  const sent = request(SITE + path, { method, agent, headers })
  sent.end(body)
  const [answer] = await once(sent, 'response')
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(piece)
  return { status: answer.statusCode as number, body: Buffer.concat(pieces).toString() }
}
