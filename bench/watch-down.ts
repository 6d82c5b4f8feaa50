import { join } from 'node:path'
import Database from 'better-sqlite3'

/** Resolves with the instant (ms UTC) at which `count` checks of the database in `folder` are down. */
export async function whenDown(folder: string, count: number, withinMs: number): Promise<number> {
  const database = new Database(join(folder, 'punctual.db'), { readonly: true })
  try {
    const down = database.prepare(`SELECT count(*) FROM checks WHERE status = 'down'`).pluck()
    const deadline = Date.now() + withinMs
    while ((down.get() as number) < count) {
      if (Date.now() > deadline) throw new Error(`${down.get()} of ${count} checks went down in time`)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    return Date.now()
  } finally {
    database.close()
  }
}
