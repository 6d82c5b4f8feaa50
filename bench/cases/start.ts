import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Case } from '../case.js'
import { median } from '../median.js'
import { dropDatabase, makeDatabase } from '../postgres-site.js'
import { nextPort, residentMb, startProgram } from '../program.js'
import { openSite } from '../site.js'

/** The runtime frees the memory that starting needed about nine seconds later. */
const IDLE_MS = 12_000

/** No check has this UUID, so the request takes the whole path of a ping: to the database and back. */
const UNKNOWN = '/ping/00000000-0000-0000-0000-000000000000'

export const start: Case = {
  name: 'start',
  title: 'Start with an empty database; idle memory',
  target: 'first OK in under 500 ms; under 90 MB',
  remote: false,
  async run(options) {
    const runs: { emptyMs: number; knownMs: number; idleMb: number; seenMb: number }[] = []
    for (let run = 0; run < options.runs; run++) {
      const folder = join(options.folder, `empty-${process.pid}`)
      rmSync(folder, { recursive: true, force: true })
      const database = options.server && (await makeDatabase(options.server))
      const settings = database && { DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('hex') }
      const program = await startProgram(folder, nextPort(), UNKNOWN, settings ?? {})
      await new Promise(resolve => setTimeout(resolve, IDLE_MS))
      const idleMb = residentMb(program.pid)
      await (await fetch(program.origin)).text()
      await new Promise(resolve => setTimeout(resolve, IDLE_MS))
      const seenMb = residentMb(program.pid)
      await program.stop()
      if (database) await dropDatabase(options.server!, database)
      rmSync(folder, { recursive: true, force: true })
      const site = await openSite(options, { checks: 1 })
      await site.stop()
      runs.push({ emptyMs: program.startMs, knownMs: site.startMs, idleMb, seenMb })
    }
    return [
      { what: 'start, empty, to an answer', unit: 'ms', value: median(runs.map(({ emptyMs }) => emptyMs)) },
      { what: 'start to the first ping', unit: 'ms', value: median(runs.map(({ knownMs }) => knownMs)) },
      { what: 'idle memory', unit: 'MB', value: median(runs.map(({ idleMb }) => idleMb)) },
      { what: 'after a look at a page', unit: 'MB', value: median(runs.map(({ seenMb }) => seenMb)) },
    ]
  },
}
