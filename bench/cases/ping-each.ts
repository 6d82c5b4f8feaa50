import type { Case } from '../case.js'
import { compare } from '../compare.js'
import { openSite } from '../site.js'

export const pingEach: Case = {
  name: 'ping-each',
  title: 'Starts and successes of checks that track each run, against the same of plain checks',
  target: 'half as many',
  remote: false,
  async run(options) {
    const site = await openSite(options, { checks: 1_000, tracksEach: number => number % 2 === 1 })
    try {
      const { origin, times, checks } = site
      const pathsOf = (parity: number) =>
        checks.flatMap(({ uuid }, number) =>
          number % 2 === parity ? [`/ping/${uuid}/start`, `/ping/${uuid}`] : [],
        )
      return [
        await compare(options, 'each run, limit plain', {
          ours: { origin, times, paths: pathsOf(1), connections: 64 },
          limit: { origin, times, paths: pathsOf(0), connections: 64 },
        }),
      ]
    } finally {
      await site.stop()
    }
  },
}
