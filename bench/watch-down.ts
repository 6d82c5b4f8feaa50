import { join } from 'node:path'
import { selectValue } from '../src/storage/sqlite/engines/engine.js'
import { sqliteEngine } from '../src/storage/sqlite/engines/index.js'

/** Resolves with the instant (ms UTC) at which `count` checks of the database in `folder` are down. */
export async function whenDown(folder: string, count: number, withinMs: number): Promise<number> {
  const database = sqliteEngine().open(join(folder, 'punctual.db'), { mustExist: true })
  try {
    const down = () => selectValue(database, `SELECT count(*) FROM checks WHERE status = 'down'`) as number
    const deadline = Date.now() + withinMs
    while (down() < count) {
      if (Date.now() > deadline) throw new Error(`${down()} of ${count} checks went down in time`)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    return Date.now()
  } finally {
    database.close()
  }
}
