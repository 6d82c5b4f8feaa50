/** Requests sent from another process, as fast as they are answered or at a given rate. */
import { spawnSync } from 'node:child_process'
import { loadByAutocannon } from './autocannon.js'
import { loadByWrk } from './wrk.js'

export interface Load {
  /** Scheme, host and port. */
  origin: string
  /** The paths, requested in turn. */
  paths: readonly string[]
  method?: 'GET' | 'POST'
  body?: string
  headers?: Readonly<Record<string, string>>
  connections: number
  seconds: number
  /** Whether each request has a new connection. */
  closing?: boolean
  /** The approximate number of requests per second in all; by default as many as are answered. */
  rate?: number
}

/** The result of a load. Times in milliseconds. */
export interface Loaded {
  /** Answers per second. */
  rate: number
  p50: number
  p99: number
  max: number
  /** Answers with a status over 399, and requests without an answer. */
  bad: number
}

const hasWrk = spawnSync('wrk', ['-v']).error === undefined

export const loadTool = hasWrk ? 'wrk' : 'autocannon'

/** Puts a load on a server. Rejects if some requests did not get the expected answer. */
export async function load(what: Load): Promise<Loaded> {
  const loaded = await (hasWrk ? loadByWrk(what) : loadByAutocannon(what))
  if (loaded.bad > 0) throw new Error(`${loaded.bad} requests to ${what.origin}${what.paths[0]} failed`)
  return loaded
}
