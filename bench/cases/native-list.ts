import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import type { Case, Figure } from '../case.js'
import { median } from '../median.js'
import type { Options } from '../options.js'
import { openSite, type Site } from '../site.js'

const CHECKS = 10_000
const PAGE = 1_000
const ROUNDS_PER_RUN = 10
/** The number of characters that surely contain the cursor. */
const END_LENGTH = 1_000
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
    const times = [
      await timeOfSecond(() => listWhole(site)),
      await timeOfSecond(() => listPages(site)),
    ] as const
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
  await endOf(`${origin}/api/v3/checks/`, key)
}

async function listPages({ origin, key }: Site): Promise<void> {
  let pages = 0
  for (let cursor: string | null = ''; cursor !== null; pages++) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const end = await endOf(`${origin}/api/punctual/v1/checks?limit=${PAGE}${after}`, key)
    // Not parsed, as the whole list is not.
    cursor = /"next": "([^"]+)"\}$/.exec(end)?.[1] ?? null
  }
  if (pages !== CHECKS / PAGE) throw new Error(`the list has ${pages} pages`)
}

const agent = new Agent({ keepAlive: true })

/** Reads an answer and returns its last part; the rest is dropped, so that the reader's own garbage costs little. */
async function endOf(url: string, key: string): Promise<string> {
  const headers = { 'X-Api-Key': key, 'Accept-Encoding': 'identity' }
  const [response] = (await once(get(url, { headers, agent }), 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`${url} was answered ${response.statusCode}`)
  let end = ''
  for await (const chunk of response)
    end = (end + (chunk as Buffer).subarray(-END_LENGTH).toString('latin1')).slice(-END_LENGTH)
  return end
}

/** The first time also pays for the garbage that the other kind of list left. */
async function timeOfSecond(work: () => Promise<void>): Promise<number> {
  await work()
  const from = performance.now()
  await work()
  return performance.now() - from
}
