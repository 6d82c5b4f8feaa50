import type { Case } from '../case.js'
import { compareWithBare } from '../compare.js'
import { openSite } from '../site.js'

export const pingGet: Case = {
  name: 'ping-get',
  title: 'Pings by GET over 1,000 checks, 64 connections',
  target: '40 % of the bare server, 50 % the aim; p99 under 20 ms',
  remote: true,
  async run(options) {
    const site = await openSite(options, { checks: 1_000 })
    try {
      const paths = site.checks.map(({ uuid }) => `/ping/${uuid}`)
      return [
        await compareWithBare(options, 'pings', {
          origin: site.origin,
          times: site.times,
          paths,
          connections: 64,
        }),
      ]
    } finally {
      await site.stop()
    }
  },
}
