import type { Case } from '../case.js'
import { compareWithBare } from '../compare.js'
import { openSite } from '../site.js'

export const pingClosing: Case = {
  name: 'ping-closing',
  title: 'The same with one connection per ping, as curl does',
  target: 'within 20 % of a bare server under the same load',
  remote: true,
  async run(options) {
    const site = await openSite(options, { checks: 1_000 })
    try {
      const paths = site.checks.map(({ uuid }) => `/ping/${uuid}`)
      const load = { origin: site.origin, times: site.times, paths, connections: 64, closing: true }
      return [await compareWithBare(options, 'pings', load)]
    } finally {
      await site.stop()
    }
  },
}
