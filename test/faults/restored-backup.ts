/** Everything since yesterday's backup is lost, and that backup is restored. */
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Cluster } from '../_support/servers/postgres-server.js'
import type { Bench, Fault } from './frame/bench.js'
import type { LedgerEntry } from './frame/ledger.js'
import type { Trial } from './frame/trial.js'

const DAY_MS = 86_400_000

export const restoredBackup: Fault = {
  name: 'yesterday’s backup restored',
  engines: ['sqlite', 'postgres'],
  inShort: ['sqlite'],
  // Messages that were being sent during the backup are sent again.
  mayRepeat: () => 1,

  async run(bench) {
    const cluster = bench.engine === 'postgres' ? await bench.cluster() : null
    const trial = await bench.open(cluster ? { database: cluster.url } : {})
    const { program, ledger } = trial
    // All of this happens yesterday.
    await program.stop()
    program.setClock(-DAY_MS)
    await trial.withDatabase(({ sql }) => sql.deleteFrom('beats').execute())
    await program.start()
    await loadFor(trial, 300)
    trial.missed.push(await trial.fallSilent(3_600_000))
    const restore = await (cluster ? backUpCluster(trial, cluster) : backUpFile(bench, trial))
    const kept = ledger.length
    await loadFor(trial, 300)
    await program.kill()
    const lost: LedgerEntry[] = ledger.splice(kept)
    await restore()
    program.setClock(0)
    const from = performance.now()
    await program.start()
    trial.figures['serves after, s'] = ((performance.now() - from) / 1000).toFixed(1)
    trial.figures['pings since the backup'] = lost.filter(entry => entry.status === 200).length
    await loadFor(trial, 300)
    return trial
  },
}

async function loadFor(trial: Trial, pings: number): Promise<void> {
  const load = trial.startLoad()
  await load.acknowledged(pings)
  await load.settle()
}

/** Runs `punctual backup` while the program runs. The returned function restores it as the manual says. */
async function backUpFile(bench: Bench, { program }: Trial): Promise<() => Promise<void>> {
  const copy = join(bench.folder(), 'backup.db')
  await program.command('backup', copy)
  return async () => {
    const file = join(program.env.DATA_DIR!, 'punctual.db')
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
    renameSync(copy, file)
  }
}

/** Copies the server's files while it is stopped. The program waits until it is back. */
async function backUpCluster({ program }: Trial, cluster: Cluster): Promise<() => Promise<void>> {
  const restore = await cluster.saveFiles()
  await program.waitUntilReady()
  return restore
}
