import { fileURLToPath } from 'node:url'
import { outputOf } from '../output.js'
import type { Load, Loaded } from './load.js'

export type PacedLoad = Pick<Load, 'origin' | 'paths' | 'connections' | 'seconds'> & { rate: number }

/**
 * Sends GET requests evenly spaced, from another process. The other tools send those of a second in bursts, or after random
 * pauses, which shows in the latencies. Rejects if some requests did not get the expected answer.
 */
export async function loadPaced(what: PacedLoad): Promise<Loaded> {
  const loaded = await sendPaced(what)
  if (loaded.bad > 0) throw new Error(`${loaded.bad} requests to ${what.origin}${what.paths[0]} failed`)
  return loaded
}

/** As `loadPaced`, whatever the answers are. */
export async function sendPaced(what: PacedLoad): Promise<Loaded> {
  const script = fileURLToPath(new URL('./paced-process.js', import.meta.url))
  return JSON.parse(await outputOf(process.execPath, [script], JSON.stringify(what)))
}
