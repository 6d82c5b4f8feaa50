import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../src/lib/package-root.js'
import type { Case, Figure } from '../case.js'
import { load } from '../load/load.js'
import { median } from '../median.js'
import type { Options } from '../options.js'
import { openSite, type Site } from '../site.js'

const CHECKS = 1_000
const STREAMS = 100
/** As many as one token may have open. */
const STREAMS_EACH = 10
const LOAD_SECONDS = 15
/** How often a check is changed, so that there is something to stream. */
const CHANGE_EVERY_MS = 100

export const streams: Case = {
  name: 'streams',
  title: `Pings at half the maximum rate beside ${STREAMS} open streams of events, ten changes a second`,
  target: 'ping p99 under twice that without streams',
  remote: false,
  async run(options) {
    return [await measure(options)]
  },
}

async function measure(options: Options): Promise<Figure> {
  const runs: { quiet: number; beside: number; events: number }[] = []
  for (let run = 0; run < options.runs; run++) {
    const site = await openSite(options, { checks: CHECKS, pings: 1 }, { API_REQUESTS_PER_MINUTE: 'None' })
    try {
      runs.push(await compare(site, options.seconds))
    } finally {
      await site.stop()
    }
  }
  const of = (name: 'quiet' | 'beside' | 'events') => median(runs.map(one => one[name]))
  return {
    what: `ping p99 beside ${STREAMS} streams, limit without`,
    unit: 'ms',
    value: of('beside'),
    limit: of('quiet'),
    ratio: median(runs.map(({ beside, quiet }) => beside / quiet)),
    also: { 'events streamed': of('events') },
  }
}

async function compare(site: Site, seconds: number) {
  const paths = site.checks.map(({ uuid }) => `/ping/${uuid}`)
  const what = { origin: site.origin, paths, connections: 64 }
  const { rate } = await load({ ...what, seconds })
  const over = new AbortController()
  const changing = changeChecks(site, over.signal)
  const half = { ...what, rate: rate / 2, seconds: LOAD_SECONDS }
  const quiet = await load(half)
  const opened = await openStreams(site, over.signal)
  const beside = await load(half)
  over.abort()
  await changing
  return { quiet: quiet.p99, beside: beside.p99, events: opened.events() }
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

/** Opens the streams and reads them until `signal` aborts. */
async function openStreams(site: Site, signal: AbortSignal): Promise<{ events(): number }> {
  const tokens: string[] = []
  const [{ uuid }] = await punctual(site, ['project', 'list'])
  for (let count = 0; count < STREAMS / STREAMS_EACH; count++) {
    const asked = ['token', 'create', '--project', uuid, '--name', `Stream ${count}`, '--scopes', 'log:read']
    tokens.push((await punctual(site, asked)).token)
  }
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
