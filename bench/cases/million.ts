import type { Case } from '../case.js'
import { load } from '../load/load.js'
import { median } from '../median.js'
import { residentMb } from '../program.js'
import { openSite } from '../site.js'

/** The number of checks that are pinged, drawn from the whole million. */
const PINGED = 100_000

export const million: Case = {
  name: 'million',
  title: '1,000,000 checks in the database, pings over 100,000 of them',
  target: '50 % of the rate at 1,000, 80 % the aim; under 600 MB; start to first OK under 3 s',
  remote: false,
  async run(options) {
    const small = await measure(1_000)
    const large = await measure(1_000_000)
    return [
      {
        what: 'pings',
        unit: '/s',
        value: large.rate,
        limit: small.rate,
        ratio: large.rate / small.rate,
        also: { 'p50 ms': large.p50, 'p99 ms': large.p99 },
      },
      { what: 'resident memory', unit: 'MB', value: large.residentMb },
      { what: 'start to first OK', unit: 'ms', value: large.startMs },
    ]

    async function measure(checks: number) {
      const site = await openSite(options, { checks })
      try {
        const every = Math.max(1, Math.floor(checks / PINGED))
        const paths = site.checks
          .filter((_, number) => number % every === 0)
          .map(({ uuid }) => `/ping/${uuid}`)
        shuffle(paths)
        const what = { origin: site.origin, paths, connections: 64 }
        await load({ ...what, seconds: 2 })
        const runs = []
        for (let run = 0; run < options.runs; run++) {
          runs.push(await load({ ...what, seconds: options.seconds }))
        }
        return {
          rate: median(runs.map(({ rate }) => rate)),
          p50: median(runs.map(({ p50 }) => p50)),
          p99: median(runs.map(({ p99 }) => p99)),
          residentMb: residentMb(site.pid),
          startMs: site.startMs,
        }
      } finally {
        await site.stop()
      }
    }
  },
}

function shuffle(items: unknown[]): void {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1))
    ;[items[last], items[other]] = [items[other], items[last]]
  }
}
