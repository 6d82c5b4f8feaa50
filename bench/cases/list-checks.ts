import type { Case } from '../case.js'
import { load } from '../load/load.js'
import { median } from '../median.js'
import { openSite } from '../site.js'

const CHECKS = 10_000
const CRONS = ['*/5 * * * *', '0 3 * * *', '30 6 * * MON-FRI', '15 */2 1 * *', '0 0 * * 0']

export const listChecks: Case = {
  name: 'list-checks',
  title: 'One listing of 10,000 checks by API, half of them cron, one client',
  reach: 'under 100 ms to the last byte',
  remote: true,
  async run(options) {
    const schedule = (number: number) => (number % 2 === 0 ? null : CRONS[number % CRONS.length]!)
    const site = await openSite(options, { checks: CHECKS, schedule })
    try {
      const what = {
        origin: site.origin,
        paths: ['/api/v3/checks/'],
        headers: { 'X-Api-Key': site.key },
        connections: 1,
      }
      await load({ ...what, seconds: 2 })
      const runs = []
      for (let run = 0; run < options.runs; run++) {
        runs.push(await load({ ...what, seconds: options.seconds }))
      }
      const p99 = median(runs.map(one => one.p99))
      return [
        {
          what: 'to the last byte',
          unit: 'ms',
          value: median(runs.map(({ p50 }) => p50)),
          also: { 'p99 ms': p99 },
        },
      ]
    } finally {
      await site.stop()
    }
  },
}
