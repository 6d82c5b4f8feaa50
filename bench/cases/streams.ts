import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../src/lib/package-root.js'
import type { Case, Figure } from '../case.js'
import { loadPaced, type PacedLoad } from '../load/paced.js'
import { median } from '../median.js'
import type { Options } from '../options.js'
import { openSite, type Site } from '../site.js'

const CHECKS = 1_000
/** Far below the maximum, so that the latency is that of the server and not of a queue. */
const PINGS_A_SECOND = 200
const STREAMS = 100
/** As many as one token may have open. */
const STREAMS_EACH = 10
/** How often a check is changed, with and without streams, so that there is something to stream. */
const CHANGE_EVERY_MS = 100
/** Rounds for each run asked for, each quiet first and then beside the streams. */
const ROUNDS_EACH = 3

export const streams: Case = {
  name: 'streams',
  title: `${PINGS_A_SECOND} pings a second beside ${STREAMS} open streams of events, ten changes a second, by turns with no streams`,
  target: 'ping p99 under twice that without streams',
  remote: false,
  async run(options) {
    return [await measure(options)]
  },
}

async function measure(options: Options): Promise<Figure> {
  const rounds: { quiet: number; beside: number; events: number }[] = []
  const site = await openSite(options, { checks: CHECKS, pings: 1 }, { API_REQUESTS_PER_MINUTE: 'None' })
  const over = new AbortController()
  try {
    const paths = site.checks.map(({ uuid }) => `/ping/${uuid}`)
    const { seconds } = options
    const pings: PacedLoad = { origin: site.origin, paths, connections: 16, rate: PINGS_A_SECOND, seconds }
    const tokens = await createTokens(site)
    const changing = changeChecks(site, over.signal)
    // A failed change ends the measurement where it is awaited.
    changing.catch(() => {})
    await round(site, tokens, pings)
    for (let left = options.runs * ROUNDS_EACH; left > 0; left--) {
      rounds.push(await round(site, tokens, pings))
    }
    over.abort()
    await changing
  } finally {
    over.abort()
    await site.stop()
  }
  const of = (name: 'quiet' | 'beside' | 'events') => median(rounds.map(one => one[name]))
  const [quiet, beside] = [of('quiet'), of('beside')]
  return {
    what: `ping p99 beside ${STREAMS} streams, by the quiet one`,
    unit: 'times',
    value: beside / quiet,
    also: { 'quiet p99 ms': quiet, 'p99 ms': beside, 'events streamed': of('events') },
  }
}

async function round(site: Site, tokens: readonly string[], pings: PacedLoad) {
  const { p99: quiet } = await loadPaced(pings)
  const over = new AbortController()
  const opened = await openStreams(site, tokens, over.signal)
  try {
    const { p99: beside } = await loadPaced(pings)
    return { quiet, beside, events: opened.events() }
  } finally {
    over.abort()
  }
}

async function changeChecks({ origin, key, checks }: Site, signal: AbortSignal): Promise<void> {
  for (let count = 0; !signal.aborted; count++) {
    const { uuid } = checks[count % checks.length]!
    const response = await fetch(`${origin}/api/punctual/v1/checks/${uuid}`, {
      method: 'PATCH',
      headers: { 'X-Api-Key': key },
      body: JSON.stringify({ name: `Changed ${count}` }),
    })
    if (!response.ok) throw new Error(`a change was answered ${response.status}`)
    await new Promise(resolve => setTimeout(resolve, CHANGE_EVERY_MS))
  }
}

/** Tokens for all streams. */
async function createTokens(site: Site): Promise<string[]> {
  const tokens: string[] = []
  const [{ uuid }] = await punctual(site, ['project', 'list'])
  for (let count = 0; count < STREAMS / STREAMS_EACH; count++) {
    const asked = ['token', 'create', '--project', uuid, '--name', `Stream ${count}`, '--scopes', 'log:read']
    tokens.push((await punctual(site, asked)).token)
  }
  return tokens
}

/** Opens the streams and reads them until `signal` aborts. */
async function openStreams(
  site: Site,
  tokens: readonly string[],
  signal: AbortSignal,
): Promise<{ events(): number }> {
  let events = 0
  for (let count = 0; count < STREAMS; count++) {
    const response = await fetch(`${site.origin}/api/punctual/v1/events`, {
      headers: { Authorization: `Bearer ${tokens[count % tokens.length]}` },
      signal,
    })
    if (!response.ok) throw new Error(`a stream was answered ${response.status}`)
    void follow(response).catch(() => {})
  }
  return { events: () => events }

  async function follow(response: Response): Promise<void> {
    for await (const part of response.body!)
      events += Buffer.from(part).toString('latin1').split('\nevent:').length - 1
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the JSON of several commands
async function punctual(site: Site, args: string[]): Promise<any> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(packageRoot, 'dist/main.js'), ...args, '--json'],
    { env: { PATH: process.env.PATH, ...site.settings, LOG_LEVEL: 'error' } },
  )
  return JSON.parse(stdout)
}
