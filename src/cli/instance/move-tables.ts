/** Distributes the tables of the database, or brings them back, and prints what is done. */
import { distributeStore, undistributeStore } from '../../compose/store.js'
import type { Config } from '../../config.js'
import { plural } from '../../core/text/plural.js'
import { print } from '../print.js'

/** What was done, for JSON. Durations in milliseconds. */
interface Moved {
  tables: { name: string; duration: number }[]
  moved_pings?: number
}

/** After how many moved pings a line is printed. */
const REPORTED = 1_000_000

/** Distributes the tables, or with `undistribute` brings them back. */
export async function moveTables(
  config: Config,
  options: { undistribute?: boolean; json?: boolean },
): Promise<Moved> {
  const say = options.json ? () => {} : print
  const tables: Moved['tables'] = []
  const onTable = (name: string, durationMs: number) => {
    tables.push({ name, duration: Math.round(durationMs) })
    say(`${name}: ${options.undistribute ? 'brought back' : 'distributed'} in ${seconds(durationMs)}`)
  }
  if (options.undistribute) {
    const isDone = await undistributeStore(config, { onTable })
    say(isDone ? 'Brought all tables back. Servers use them again.' : 'Nothing is distributed.')
    return { tables }
  }
  let pings = 0
  let since = performance.now()
  const isDone = await distributeStore(config, {
    onTable,
    onReady: () => {
      since = performance.now()
      say('Servers use the database again. The log of pings follows; if this is interrupted, run it again.')
    },
    onMoved: moved => {
      const before = pings
      pings += moved
      if (Math.floor(pings / REPORTED) > Math.floor(before / REPORTED)) say(`moved ${plural(pings, 'ping')}`)
    },
  })
  say(
    isDone
      ? `Moved ${plural(pings, 'ping')} in ${seconds(performance.now() - since)}. Everything is distributed.`
      : 'Everything is distributed already.',
  )
  return { tables, moved_pings: pings }
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`
}
