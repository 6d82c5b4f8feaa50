import type { Case } from '../case.js'
import { load } from '../load/load.js'
import { median } from '../median.js'
import { headStartMs } from '../options.js'
import { arrived, startReceiver } from '../receiver.js'
import { openSite } from '../site.js'
import { whenDown } from '../watch-down.js'

const CHECKS = 10_000
/** The checks that are pinged at the same time. */
const PINGED = 1_000
const PINGS_PER_SECOND = 1_000
const HEAD_START_MS = 6_000
const WITHIN_MS = 120_000

export const storm: Case = {
  name: 'storm',
  title: 'Storm: 10,000 checks due at once, a webhook each to a fast receiver, beside 1,000 pings a second',
  target: 'all flips within 1 s, all delivered within 10 s, ping p99 under 50 ms',
  remote: false,
  async run(options) {
    const runs: { flipsMs: number; deliveredMs: number; p99: number }[] = []
    for (let run = 0; run < options.runs; run++) runs.push(await one())
    const delivered = median(runs.map(({ deliveredMs }) => deliveredMs))
    return [
      { what: 'all down after', unit: 'ms', value: median(runs.map(({ flipsMs }) => flipsMs)) },
      {
        what: 'all delivered after',
        unit: 'ms',
        value: delivered,
        also: { 'alerts/s': CHECKS / (delivered / 1000) },
      },
      { what: 'ping p99 during it', unit: 'ms', value: median(runs.map(({ p99 }) => p99)) },
    ]

    async function one() {
      const receiver = await startReceiver()
      const due = Date.now() + headStartMs(options, HEAD_START_MS)
      const site = await openSite(options, {
        checks: CHECKS + PINGED,
        deadline: number => (number < CHECKS ? due : due + 86_400_000),
        webhooks: [receiver.webhook('hook')],
      })
      try {
        if (Date.now() > due) throw new Error('the storm was due before the program had started')
        const paths = site.checks.slice(CHECKS).map(({ uuid }) => `/ping/${uuid}`)
        const seconds = Math.ceil((due - Date.now()) / 1000) + 8
        const pings = load({ origin: site.origin, paths, connections: 32, seconds, rate: PINGS_PER_SECOND })
        const downAt = await whenDown(site, CHECKS, WITHIN_MS)
        const arrivals = await arrived(receiver, () => true, CHECKS, WITHIN_MS)
        const last = arrivals.reduce((latest, { at }) => Math.max(latest, at), 0)
        return { flipsMs: downAt - due, deliveredMs: last - due, p99: (await pings).p99 }
      } finally {
        await site.stop()
        await receiver.stop()
      }
    }
  },
}
