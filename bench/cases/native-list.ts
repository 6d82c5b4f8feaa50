import type { Case, Figure } from '../case.js'
import { median } from '../median.js'
import type { Options } from '../options.js'
import { openSite, type Site } from '../site.js'

const CHECKS = 10_000
const PAGE = 1_000
const ROUNDS_PER_RUN = 10
const CRONS = ['*/5 * * * *', '0 3 * * *', '30 6 * * MON-FRI', '15 */2 1 * *', '0 0 * * 0']

export const nativeList: Case = {
  name: 'native-list',
  title:
    'List 10,000 checks by pages of 1,000 through Punctual’s own API, by turns with the list of /api/v3/',
  target: 'not longer than the list of /api/v3/',
  remote: false,
  async run(options) {
    const schedule = (number: number) => (number % 2 === 0 ? null : CRONS[number % CRONS.length]!)
    const unlimited = { API_REQUESTS_PER_MINUTE: 'None' }
    const site = await openSite(options, { checks: CHECKS, schedule }, unlimited)
    try {
      return [await measure(site, options)]
    } finally {
      await site.stop()
    }
  },
}

async function measure(site: Site, { runs }: Options): Promise<Figure> {
  const whole: number[] = []
  const paged: number[] = []
  // The first round warms up.
  for (let round = 0; round <= runs * ROUNDS_PER_RUN; round++) {
    const times = [await timeOf(() => listWhole(site)), await timeOf(() => listPages(site))] as const
    if (round === 0) continue
    whole.push(times[0])
    paged.push(times[1])
  }
  return {
    what: 'by pages, limit whole',
    unit: 'ms',
    value: median(paged),
    limit: median(whole),
    ratio: median(paged.map((ms, round) => ms / whole[round]!)),
  }
}

async function listWhole({ origin, key }: Site): Promise<void> {
  await bytesOf(`${origin}/api/v3/checks/`, key)
}

async function listPages({ origin, key }: Site): Promise<void> {
  let pages = 0
  for (let cursor: string | null = ''; cursor !== null; pages++) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page = await bytesOf(`${origin}/api/punctual/v1/checks?limit=${PAGE}${after}`, key)
    // Not parsed, as the whole list is not.
    cursor = /"next": "([^"]+)"\}$/.exec(page.subarray(-1_000).toString('latin1'))?.[1] ?? null
  }
  if (pages !== CHECKS / PAGE) throw new Error(`the list has ${pages} pages`)
}

async function bytesOf(url: string, key: string): Promise<Buffer> {
  const response = await fetch(url, { headers: { 'X-Api-Key': key, 'Accept-Encoding': 'identity' } })
  if (response.status !== 200) throw new Error(`${url} was answered ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}
