/** The primary of two PostgreSQL servers is lost under load, and its synchronous standby replaces it. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { becomeSynchronous, type Cluster, startStandby } from '../_support/servers/postgres-server.js'
import type { Fault } from './frame/bench.js'
import { openSwitch } from './frame/switch.js'

export const primaryLost: Fault = {
  name: 'primary lost, standby promoted',
  engines: ['postgres'],
  // Messages that were being sent at that moment could not be recorded as sent.
  mayRepeat: () => 1,

  async run(bench) {
    const primary = await bench.cluster(['wal_keep_size=256MB'])
    const standby = await startStandby(primary, [])
    bench.defer(() => standby.remove())
    await becomeSynchronous(primary)
    const address = await openSwitch(join(primary.folder, '.s.PGSQL.5432'))
    bench.defer(() => address.close())
    const trial = await bench.open({ database: `postgres://postgres@127.0.0.1:${address.port}/postgres` })
    const load = trial.startLoad()
    await load.acknowledged(500)
    // Created only now, so that its deadline comes after the loss, however long the load took.
    trial.missed.push(await trial.fallSilent(10_000))
    const thaw = standby.freeze()
    bench.defer(thaw)
    await sleep(300)
    const known = load.entries.length
    await sleep(300)
    const since = load.entries.slice(known).filter(entry => entry.status === 200)
    assert.equal(since.length, 0, 'nothing is acknowledged that the standby has not got')
    await primary.kill()
    thaw()
    await load.next(entry => entry.status === 503)
    // A failover takes a moment to begin; until then the address leads to a server that is read-only.
    address.leadTo(join(standby.folder, '.s.PGSQL.5432'))
    await sleep(500)
    await trial.absence()
    await ask(standby, 'SELECT pg_promote()')
    const from = Date.now()
    const first = await load.next(entry => entry.status === 200)
    await load.acknowledged(500)
    await load.settle()
    trial.figures['takes pings after the promotion, s'] = (Math.max(0, first.at - from) / 1000).toFixed(1)
    return trial
  },
}

async function ask(cluster: Cluster, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: cluster.url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
