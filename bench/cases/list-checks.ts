import type { Case } from '../case.js'
import { compareWithBare } from '../compare.js'
import { openSite } from '../site.js'

const CHECKS = 10_000
const CRONS = ['*/5 * * * *', '0 3 * * *', '30 6 * * MON-FRI', '15 */2 1 * *', '0 0 * * 0']

export const listChecks: Case = {
  name: 'list-checks',
  title: 'One listing of 10,000 checks by API, half of them cron, one client',
  target: 'p50 under 100 ms to the last byte',
  remote: true,
  async run(options) {
    const schedule = (number: number) => (number % 2 === 0 ? null : CRONS[number % CRONS.length]!)
    const site = await openSite(options, { checks: CHECKS, schedule })
    try {
      const load = {
        origin: site.origin,
        times: site.times,
        paths: ['/api/v3/checks/'],
        headers: { 'X-Api-Key': site.key },
        connections: 1,
      }
      return [await compareWithBare(options, 'lists', load)]
    } finally {
      await site.stop()
    }
  },
}
