import type { Site } from './site.js'

/** Resolves with the instant (ms UTC) at which `count` checks of a site are down. */
export async function whenDown(
  site: Pick<Site, 'openDatabase'>,
  count: number,
  withinMs: number,
): Promise<number> {
  const database = await site.openDatabase()
  try {
    const down = async () => Number(await database.value(`SELECT count(*) FROM checks WHERE status = 'down'`))
    const deadline = Date.now() + withinMs
    for (let known = await down(); known < count; known = await down()) {
      if (Date.now() > deadline) throw new Error(`${known} of ${count} checks went down in time`)
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    return Date.now()
  } finally {
    await database.close()
  }
}
