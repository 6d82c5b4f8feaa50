import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../src/storage/sqlite/connection.js'
import { inTransaction } from '../../src/storage/sqlite/engines/engine.js'
import { openSqliteStore } from '../../src/storage/sqlite/open.js'
import { arrivedPing } from '../../test/_support/arrived-ping.js'
import type { Case } from '../case.js'
import { median } from '../median.js'
import { benchSettings } from '../model/settings.js'
import { seed } from '../seed.js'

const CHECKS = 1_000
/** About as many as a process with 64 clients commits at once. */
const BATCH = 32

export const storage: Case = {
  name: 'storage',
  title: `Batches of ${BATCH} pings into SQLite, one after the other, without HTTP`,
  target: 'nothing: it shows what the rules and the thread cost over bare statements',
  remote: false,
  once: true,
  async run(options) {
    const runs: { ours: number; limit: number }[] = []
    for (let run = 0; run < options.runs; run++) {
      runs.push({
        ours: await filled(options.folder, (folder, uuids) => rateOfStore(folder, uuids, options.seconds)),
        limit: await filled(options.folder, folder => rateOfStatements(folder, options.seconds)),
      })
    }
    return [
      {
        what: 'pings',
        unit: '/s',
        value: median(runs.map(({ ours }) => ours)),
        limit: median(runs.map(({ limit }) => limit)),
        ratio: median(runs.map(({ ours, limit }) => ours / limit)),
      },
    ]
  },
}

async function filled(
  parent: string,
  work: (folder: string, uuids: string[]) => Promise<number>,
): Promise<number> {
  const folder = join(parent, `storage-${process.pid}`)
  rmSync(folder, { recursive: true, force: true })
  try {
    return await work(
      folder,
      seed(folder, { checks: CHECKS }).checks.map(({ uuid }) => uuid),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Pings per second through the product's own store. */
async function rateOfStore(folder: string, uuids: string[], seconds: number): Promise<number> {
  const store = await openSqliteStore(
    join(folder, 'punctual.db'),
    { ...benchSettings, pingLogLimit: 1_000 },
    { create: false },
  )
  try {
    return await rateOf(seconds, async at => {
      const now = Date.now()
      const more = { remoteAddr: '127.0.0.1', ua: 'curl/8.14.1' }
      await store.pings.record(
        Array.from({ length: BATCH }, (_, n) => arrivedPing({ uuid: uuids[(at + n) % CHECKS]! }, now, more)),
      )
    })
  } finally {
    await store.close()
  }
}

/** Pings per second by plain statements with the same durability: a state and a row of the log for each. */
async function rateOfStatements(folder: string, seconds: number): Promise<number> {
  const database = openDatabase(join(folder, 'punctual.db'), { mustExist: true })
  const update = database.prepare(
    'UPDATE checks SET n_pings = n_pings + 1, last_ping = ?, due_at = ?, alert_after = ? WHERE id = ?',
  )
  const insert = database.prepare(
    `INSERT INTO pings (check_id, n, created_at, created_us, kind, scheme, remote_addr, method, ua)
     VALUES (?, ?, ?, 0, 'success', 'http', '127.0.0.1', 'GET', 'curl/8.14.1')`,
  )
  const counts = new Array<number>(CHECKS + 1).fill(0)
  const batch = (at: number) => {
    const now = Date.now()
    for (let n = 0; n < BATCH; n++) {
      const id = ((at + n) % CHECKS) + 1
      counts[id]! += 1
      update.run(now, now + 3_600_000, now + 3_660_000, id)
      insert.run(id, counts[id]!, now)
    }
  }
  try {
    return await rateOf(seconds, async at => {
      inTransaction(database, () => batch(at))
    })
  } finally {
    database.close()
  }
}

async function rateOf(seconds: number, writeBatch: (at: number) => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  let written = 0
  while (performance.now() - startedAt < seconds * 1000) {
    await writeBatch(written)
    written += BATCH
  }
  return (written / (performance.now() - startedAt)) * 1000
}
