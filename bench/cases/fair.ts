import { startCluster } from '../../test/_support/servers/postgres-server.js'
import type { Case } from '../case.js'
import { median, percentile } from '../median.js'
import type { Options } from '../options.js'
import { openPostgresSite } from '../postgres-site.js'
import { arrived, startReceiver } from '../receiver.js'
import type { Seed } from '../seed.js'
import { openSite, type Site } from '../site.js'

/** Alerts of the project whose receivers hang, over so many of them. */
const STUCK = 1_000
const HANGING = 10
/** Alerts of the other project, one after the other, from a moment after the first ones on. */
const OTHERS = 200
const EVERY_MS = 50
const AFTER_MS = 1_000
const HEAD_START_MS = 8_000
const WITHIN_MS = 120_000

export const fair: Case = {
  name: 'fair',
  title:
    'One project with 10 webhooks that hang and 1,000 alerts behind them: due time to arrival of another project’s alerts',
  reach: 'p99 under 1 s',
  remote: false,
  async run(options) {
    return [
      await figure('on SQLite', options, async seed => await openSite(options, seed)),
      await figure('on PostgreSQL', options, async seed => {
        const cluster = await startCluster([])
        const site = await openPostgresSite(options, cluster.url, seed)
        return { ...site, stop: async () => await site.stop().finally(() => cluster.remove()) }
      }),
    ]
  },
}

async function figure(what: string, { runs }: Options, open: (seed: Seed) => Promise<Site>) {
  const all: number[][] = []
  for (let run = 0; run < runs; run++) all.push(await latencies(open))
  return {
    what,
    unit: 'ms',
    value: median(all.map(times => percentile(times, 0.99))),
    also: {
      'median ms': median(all.map(median)),
      'max ms': median(all.map(times => Math.max(...times))),
    },
  }
}

async function latencies(open: (seed: Seed) => Promise<Site>): Promise<number[]> {
  const receiver = await startReceiver()
  const first = Date.now() + HEAD_START_MS
  const isOther = (number: number) => number >= STUCK
  const due = (number: number) => first + (isOther(number) ? AFTER_MS + (number - STUCK) * EVERY_MS : 0)
  const site = await open({
    checks: STUCK + OTHERS + 1,
    // The last one is pinged to see whether the program has started.
    deadline: number => (number < STUCK + OTHERS ? due(number) : first + 86_400_000),
    webhooks: Array.from({ length: HANGING + 1 }, (_, index) =>
      receiver.webhook(index < HANGING ? 'hang' : 'hook'),
    ),
    webhookOf: number => (isOther(number) ? HANGING : number % HANGING),
    projectOf: webhook => (webhook < HANGING ? 1 : 2),
  })
  try {
    if (Date.now() > first) throw new Error('the first alert was due before the program had started')
    const arrivals = await arrived(receiver, ({ number }) => isOther(number), OTHERS, WITHIN_MS)
    return arrivals.map(({ number, at }) => at - due(number))
  } finally {
    await site.stop()
    await receiver.stop()
  }
}
