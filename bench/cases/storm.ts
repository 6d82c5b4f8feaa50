import type { Case } from '../case.js'
import { median } from '../median.js'
import { spentBetween } from '../processor-time.js'
import { arrived } from '../receiver.js'
import { CHECKS, runStorm, WITHIN_MS } from './storm-site.js'

export const storm: Case = {
  name: 'storm',
  title: 'Storm: 10,000 checks due at once, a webhook each to a fast receiver, beside 1,000 pings a second',
  target: 'all flips within 1 s, all delivered within 10 s, ping p99 under 50 ms',
  remote: false,
  async run(options) {
    const runs = []
    for (let run = 0; run < options.runs; run++) {
      const storm = runStorm(options, async ({ site, receiver }, due) => {
        const arrivals = await arrived(receiver, () => true, CHECKS, WITHIN_MS)
        const deliveredMs = arrivals.reduce((latest, { at }) => Math.max(latest, at), 0) - due
        // Since the program started: the start, and the pings beside the storm, are a small part of it.
        return { deliveredMs, spentUs: spentBetween(new Map(), site.times()) }
      })
      runs.push(await storm)
    }
    const delivered = median(runs.map(({ deliveredMs }) => deliveredMs))
    return [
      { what: 'all down after', unit: 'ms', value: median(runs.map(({ flipsMs }) => flipsMs)) },
      {
        what: 'all delivered after',
        unit: 'ms',
        value: delivered,
        also: {
          'alerts/s': CHECKS / (delivered / 1000),
          'cpu µs': median(runs.map(({ spentUs }) => spentUs)) / CHECKS,
        },
      },
      { what: 'ping p99 during it', unit: 'ms', value: median(runs.map(({ p99 }) => p99)) },
    ]
  },
}
