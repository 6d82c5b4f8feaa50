import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { packageRoot } from '../../src/lib/package-root.js'
import type { Case, Figure } from '../case.js'
import { type Load, load } from '../load/load.js'
import { median } from '../median.js'
import type { Options } from '../options.js'
import { signInTo } from '../sign-in.js'
import { openSite, type Site } from '../site.js'

const CHECKS = 10_000
const PINGS_EACH = 100
/** How long pings arrive at half the maximum rate while the other work is done. */
const BESIDE_SECONDS = 30

export const beside: Case = {
  name: 'beside',
  title:
    'Pings at half the maximum rate beside a listing of 10,000 checks a second, beside their dashboard, beside a prune of 1,000,000',
  target: 'ping p99 under 30 ms',
  remote: false,
  async run(options) {
    return [
      await measure(options, 'a listing a second', listEverySecond),
      await measure(options, 'a dashboard a second', showEverySecond),
      await measure(options, 'a prune', prune),
    ]
  },
}

/** Other work on the site, until `signal` aborts or the work is done. */
type Work = (site: Site, signal: AbortSignal) => Promise<void>

async function measure(options: Options, name: string, work: Work): Promise<Figure> {
  const runs: { rate: number; p99: number }[] = []
  for (let run = 0; run < options.runs; run++) {
    const site = await openSite(options, { checks: CHECKS, pings: PINGS_EACH })
    try {
      const paths = site.checks.map(({ uuid }) => `/ping/${uuid}`)
      const what: Omit<Load, 'seconds'> = { origin: site.origin, paths, connections: 128 }
      const { rate } = await load({ ...what, seconds: options.seconds })
      const over = new AbortController()
      const working = work(site, over.signal)
      runs.push(await load({ ...what, rate: rate / 2, seconds: BESIDE_SECONDS }))
      over.abort()
      await working
    } finally {
      await site.stop()
    }
  }
  return {
    what: `ping p99 beside ${name}`,
    unit: 'ms',
    value: median(runs.map(({ p99 }) => p99)),
    also: { 'pings/s': median(runs.map(({ rate }) => rate)) },
  }
}

function listEverySecond({ origin, key }: Site, signal: AbortSignal): Promise<void> {
  return askEverySecond(`${origin}/api/v3/checks/`, { 'X-Api-Key': key }, signal)
}

async function showEverySecond(site: Site, signal: AbortSignal): Promise<void> {
  const { cookie, project } = await signInTo(site)
  await askEverySecond(
    `${site.origin}/projects/${project}/checks/`,
    { Cookie: `${cookie.name}=${cookie.value}` },
    signal,
  )
}

async function askEverySecond(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const next = Date.now() + 1_000
    const response = await fetch(url, { headers, redirect: 'error' })
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
    await response.arrayBuffer()
    await new Promise(resolve => setTimeout(resolve, Math.max(0, next - Date.now())))
  }
}

/** Prunes all but one ping of each check with the command, in another process. */
async function prune(site: Site): Promise<void> {
  const child = spawn(process.execPath, [join(packageRoot, 'dist/main.js'), 'prune'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, ...site.settings, PING_LOG_LIMIT: '1', LOG_LEVEL: 'error' },
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the prune ended with exit code ${code}`)
}
