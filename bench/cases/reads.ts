import type { Case } from '../case.js'
import { compareWithBare } from '../compare.js'
import { openSite } from '../site.js'

const CHECKS = 1_000

export const reads: Case = {
  name: 'reads',
  title: 'Get one check, its pings (100), its flips, its badge, over 1,000 checks',
  target: '20 % of a bare server that answers the same bytes, each',
  remote: true,
  async run(options) {
    const site = await openSite(options, { checks: CHECKS, pings: 100, flips: 10 })
    try {
      const { origin, times, checks } = site
      const headers = { 'X-Api-Key': site.key }
      const compare = (name: string, path: (check: (typeof checks)[number]) => string) =>
        compareWithBare(options, name, { origin, times, paths: checks.map(path), headers, connections: 64 })
      return [
        await compare('get check', ({ uuid }) => `/api/v3/checks/${uuid}`),
        await compare('pings', ({ uuid }) => `/api/v3/checks/${uuid}/pings/`),
        await compare('flips', ({ uuid }) => `/api/v3/checks/${uuid}/flips/`),
        await compare('badge', ({ badgeKey }) => `/b/2/${badgeKey}.svg`),
      ]
    } finally {
      await site.stop()
    }
  },
}
