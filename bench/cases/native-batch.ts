import type { Case, Figure } from '../case.js'
import { median } from '../median.js'
import type { Options } from '../options.js'
import { openSite, type Site } from '../site.js'

const CREATED = 500
const ROUNDS_PER_RUN = 5

export const nativeBatch: Case = {
  name: 'native-batch',
  title: 'Create 500 checks with one request, by turns with 500 requests one after the other',
  target: 'under 200 ms on SQLite, a tenth of the requests on PostgreSQL',
  remote: false,
  async run(options) {
    const site = await openSite(options, { checks: 1 }, { API_REQUESTS_PER_MINUTE: 'None' })
    try {
      return [await measure(site, options)]
    } finally {
      await site.stop()
    }
  },
}

async function measure(site: Site, { runs }: Options): Promise<Figure> {
  const together: number[] = []
  const singly: number[] = []
  // The first round warms up.
  for (let round = 0; round <= runs * ROUNDS_PER_RUN; round++) {
    const from = performance.now()
    await createTogether(site)
    const between = performance.now()
    await createSingly(site)
    if (round === 0) continue
    together.push(between - from)
    singly.push(performance.now() - between)
  }
  return {
    what: 'one request, limit 500',
    unit: 'ms',
    value: median(together),
    limit: median(singly),
    ratio: median(together.map((ms, round) => ms / singly[round]!)),
  }
}

async function createTogether(site: Site): Promise<void> {
  const operations = Array.from({ length: CREATED }, (_, number) => ({
    op: 'create',
    check: newCheck(number),
  }))
  const { results } = JSON.parse(await post(site, '/checks:batch', { operations }))
  const made = results.filter(({ status }: { status: number }) => status === 201).length
  if (made !== CREATED) throw new Error(`${made} checks were created`)
}

async function createSingly(site: Site): Promise<void> {
  for (let number = 0; number < CREATED; number++) await post(site, '/checks', newCheck(number))
}

function newCheck(number: number) {
  return { name: `Job ${number}`, slug: `job-${number}`, tags: ['prod', 'db'], period: 86_400, grace: 3_600 }
}

async function post({ origin, key }: Site, path: string, body: object): Promise<string> {
  const response = await fetch(`${origin}/api/punctual/v1${path}`, {
    method: 'POST',
    headers: { 'X-Api-Key': key },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text.slice(0, 500)}`)
  return text
}
