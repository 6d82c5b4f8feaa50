import type { Case } from '../case.js'
import { median } from '../median.js'
import { headStartMs } from '../options.js'
import { type Arrival, arrived, startReceiver } from '../receiver.js'
import { openSite } from '../site.js'

const CHECKS = 1_000
const CHANNELS = 10
const HEAD_START_MS = 6_000
const WITHIN_MS = 120_000

export const slowReceiver: Case = {
  name: 'slow-receiver',
  title: 'A storm of 1,000 over 10 channels, one of them with a receiver that takes 10 s each',
  target: 'the others’ median within 1.2 times that of a storm without it',
  remote: false,
  async run(options) {
    const runs: { with: number; without: number }[] = []
    for (let run = 0; run < options.runs; run++) {
      runs.push({ without: await medianDelay('hook'), with: await medianDelay('slow') })
    }
    return [
      {
        what: 'due time to arrival',
        unit: 'ms',
        value: median(runs.map(one => one.with)),
        limit: median(runs.map(one => one.without)),
        ratio: median(runs.map(one => one.with / one.without)),
      },
    ]

    /** The median delay (ms) of the alerts through all channels but the first, whose receiver is at `path`. */
    async function medianDelay(path: string): Promise<number> {
      const receiver = await startReceiver()
      const due = Date.now() + headStartMs(options, HEAD_START_MS)
      const site = await openSite(options, {
        // One more check, which is pinged to see whether the program has started.
        checks: CHECKS + 1,
        deadline: number => (number < CHECKS ? due : due + 86_400_000),
        webhooks: Array.from({ length: CHANNELS }, (_, channel) =>
          receiver.webhook(channel === 0 ? path : 'hook'),
        ),
        webhookOf: number => number % CHANNELS,
      })
      try {
        const isOther = ({ number }: Arrival) => number % CHANNELS !== 0
        const arrivals = await arrived(receiver, isOther, CHECKS - CHECKS / CHANNELS, WITHIN_MS)
        return median(arrivals.map(({ at }) => at - due))
      } finally {
        await site.stop()
        await receiver.stop()
      }
    }
  },
}
