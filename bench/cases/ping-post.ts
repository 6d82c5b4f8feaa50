import type { Case } from '../case.js'
import { compareWithBare } from '../compare.js'
import { openSite } from '../site.js'

export const pingPost: Case = {
  name: 'ping-post',
  title: 'The same with 1 kB POST bodies',
  target: '30 % of the bare server',
  remote: true,
  async run(options) {
    const site = await openSite(options, { checks: 1_000 })
    try {
      const paths = site.checks.map(({ uuid }) => `/ping/${uuid}`)
      const body = 'backup finished, 4096 blocks written\n'.repeat(28).slice(0, 1024)
      const load = {
        origin: site.origin,
        times: site.times,
        paths,
        connections: 64,
        method: 'POST',
        body,
      } as const
      return [await compareWithBare(options, 'pings', load)]
    } finally {
      await site.stop()
    }
  },
}
