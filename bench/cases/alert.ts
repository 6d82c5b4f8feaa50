import type { Case } from '../case.js'
import { median, percentile } from '../median.js'
import { headStartMs } from '../options.js'
import { arrived, startReceiver } from '../receiver.js'
import { openSite } from '../site.js'

const ALERTS = 200
const EVERY_MS = 50
const OTHERS = 100_000
/** The first check is due this long after the database was filled. */
const HEAD_START_MS = 15_000

export const alert: Case = {
  name: 'alert',
  title: 'One alert at a time: due time to the arrival of the webhook, with 100,000 other checks',
  target: 'median under 20 ms, p99 under 100 ms',
  remote: false,
  async run(options) {
    const runs: number[][] = []
    for (let run = 0; run < options.runs; run++) runs.push(await latencies())
    return [
      {
        what: 'due time to arrival',
        unit: 'ms',
        value: median(runs.map(median)),
        also: {
          'p99 ms': median(runs.map(times => percentile(times, 0.99))),
          'max ms': median(runs.map(times => Math.max(...times))),
        },
      },
    ]

    async function latencies(): Promise<number[]> {
      const receiver = await startReceiver()
      const first = Date.now() + headStartMs(options, HEAD_START_MS)
      const due = (number: number) => first + number * EVERY_MS
      const site = await openSite(options, {
        checks: ALERTS + OTHERS,
        deadline: number => (number < ALERTS ? due(number) : first + 86_400_000),
        webhooks: [receiver.webhook('hook')],
      })
      try {
        if (Date.now() > first) throw new Error('the first alert was due before the program had started')
        const arrivals = await arrived(
          receiver,
          () => true,
          ALERTS,
          headStartMs(options, HEAD_START_MS) + ALERTS * EVERY_MS + 30_000,
        )
        return arrivals.map(({ number, at }) => at - due(number))
      } finally {
        await site.stop()
        await receiver.stop()
      }
    }
  },
}
