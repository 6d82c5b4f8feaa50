import { fileURLToPath } from 'node:url'
import { outputOf } from '../output.js'
import type { Load, Loaded } from './load.js'

/** Puts a load on a server with autocannon, in a process of its own. */
export async function loadByAutocannon(what: Load): Promise<Loaded> {
  const script = fileURLToPath(new URL('./autocannon-process.js', import.meta.url))
  return JSON.parse(await outputOf(process.execPath, [script], JSON.stringify(what)))
}
