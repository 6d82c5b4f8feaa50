/** Requests sent from another process, as fast as they are answered or at a given rate. */
import { spawnSync } from 'node:child_process'
import { loadByAutocannon } from './autocannon.js'
import { loadByWrk } from './wrk.js'

export interface Load {
  /** Scheme, host and port. */
  origin: string
  /** Asked for in turn. */
  paths: readonly string[]
  method?: 'GET' | 'POST'
  body?: string
  headers?: Readonly<Record<string, string>>
  connections: number
  seconds: number
  /** A new connection for every request. */
  closing?: boolean
  /** Requests a second in all, about; as many as are answered when absent. */
  rate?: number
}

/** What came of a load. Times in milliseconds. */
export interface Loaded {
  /** Answers a second. */
  rate: number
  p50: number
  p99: number
  max: number
  /** Answers with a status over 399, and requests without an answer. */
  bad: number
}

const hasWrk = spawnSync('wrk', ['-v']).error === undefined

export const loadTool = hasWrk ? 'wrk' : 'autocannon'

/** Puts a load on a server. Rejects when some requests were not answered as they should. */
export async function load(what: Load): Promise<Loaded> {
  const loaded = await (hasWrk ? loadByWrk(what) : loadByAutocannon(what))
  if (loaded.bad > 0) throw new Error(`${loaded.bad} requests to ${what.origin}${what.paths[0]} failed`)
  return loaded
}
