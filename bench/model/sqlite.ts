/** What a ping costs SQLite, from the operating system's counters. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteEngine } from '../../src/storage/sqlite/engines/index.js'
import { openSqliteStore } from '../../src/storage/sqlite/open.js'
import { feed, makeChecks, rearm, rearmedText } from './pings.js'
import type { ModelRow } from './row.js'
import { benchSettings } from './settings.js'

export async function measureSqlite(
  options: { checks: number; seconds: number; folder: string; batches: readonly number[] },
  onRow: (row: ModelRow) => void,
  onRearmed: (text: string) => void,
): Promise<void> {
  mkdirSync(options.folder, { recursive: true })
  const folder = mkdtempSync(join(options.folder, 'model-'))
  const file = join(folder, 'punctual.db')
  const store = await openSqliteStore(file, benchSettings, { create: true })
  try {
    const uuids = await makeChecks(store, options.checks)
    for (const batch of options.batches) {
      await feed(store, uuids, batch, 0.5)
      const [size, written] = [sizeOf(file), writtenBytes()]
      const fed = await feed(store, uuids, batch, options.seconds)
      const bytes = writtenBytes() - written
      onRow({
        engine: 'SQLite',
        batch,
        perSecond: fed.pings / fed.seconds,
        syncsPerPing: 1 / batch,
        walBytesPerPing: bytes / fed.pings,
        logBytesPerPing: (sizeOf(file) - size) / fed.pings,
        hotShare: null,
        clientUsPerPing: fed.cpuUs / fed.pings,
        serverUsPerPing: null,
      })
    }
    const database = sqliteEngine().open(file, { mustExist: true })
    database.exec('UPDATE checks SET wake_at = 1')
    database.close()
    onRearmed(rearmedText('SQLite', await rearm(store)))
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The size of the database after its write-ahead log was copied into it. */
function sizeOf(file: string): number {
  const database = sqliteEngine().open(file, { mustExist: true })
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  return statSync(file).size
}

/** The bytes that this process has sent to disks so far; 0 if it is not known. */
function writtenBytes(): number {
  try {
    return Number(/^write_bytes: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))![1])
  } catch {
    return 0
  }
}
