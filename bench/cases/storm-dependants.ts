import type { Case } from '../case.js'
import { load } from '../load/load.js'
import { median } from '../median.js'
import { headStartMs } from '../options.js'
import { startReceiver } from '../receiver.js'
import { openSite, type Site } from '../site.js'
import { whenDown } from '../watch-down.js'

/** The first is the one that all others depend on. */
const CHECKS = 10_000
/** The checks that are pinged at the same time. */
const PINGED = 1_000
const PINGS_PER_SECOND = 1_000
const HEAD_START_MS = 6_000
const WITHIN_MS = 120_000

export const stormDependants: Case = {
  name: 'storm-dependants',
  title:
    'Storm under one check: 10,000 checks due at once, of which 9,999 depend on one, beside 1,000 pings a second',
  target: 'one message, ping p99 under 50 ms',
  remote: false,
  async run(options) {
    const runs: { flipsMs: number; heldMs: number; messages: number; p99: number }[] = []
    for (let run = 0; run < options.runs; run++) runs.push(await one())
    return [
      { what: 'all down after', unit: 'ms', value: median(runs.map(({ flipsMs }) => flipsMs)) },
      { what: 'all others held after', unit: 'ms', value: median(runs.map(({ heldMs }) => heldMs)) },
      { what: 'messages', unit: '', value: Math.max(...runs.map(({ messages }) => messages)) },
      { what: 'ping p99 during it', unit: 'ms', value: median(runs.map(({ p99 }) => p99)) },
    ]

    async function one() {
      const receiver = await startReceiver()
      const due = Date.now() + headStartMs(options, HEAD_START_MS)
      const site = await openSite(options, {
        checks: CHECKS + PINGED,
        deadline: number => (number < CHECKS ? due : due + 86_400_000),
        parentOf: number => (number > 0 && number < CHECKS ? 0 : null),
        webhooks: [receiver.webhook('hook')],
      })
      try {
        if (Date.now() > due) throw new Error('the storm was due before the program had started')
        const paths = site.checks.slice(CHECKS).map(({ uuid }) => `/ping/${uuid}`)
        const seconds = Math.ceil((due - Date.now()) / 1000) + 8
        const pings = load({ origin: site.origin, paths, connections: 32, seconds, rate: PINGS_PER_SECOND })
        const downAt = await whenDown(site, CHECKS, WITHIN_MS)
        const heldAt = await whenHeld(site, CHECKS - 1)
        const { p99 } = await pings
        const messages = (await receiver.arrivals()).length
        return { flipsMs: downAt - due, heldMs: heldAt - due, messages, p99 }
      } finally {
        await site.stop()
        await receiver.stop()
      }
    }
  },
}

/** Resolves with the instant (ms UTC) at which `count` alerts are held and nothing else waits. */
async function whenHeld(site: Site, count: number): Promise<number> {
  const database = await site.openDatabase()
  try {
    const waiting = async () => {
      const held = await database.value(`SELECT count(*) FROM deliveries WHERE held_by = 'dependency'`)
      const all = await database.value('SELECT count(*) FROM deliveries')
      return { held: Number(held), all: Number(all) }
    }
    const deadline = Date.now() + WITHIN_MS
    for (let { held, all } = await waiting(); held < count || all > held; { held, all } = await waiting()) {
      if (Date.now() > deadline) throw new Error(`${held} of ${all} waiting alerts are held`)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    return Date.now()
  } finally {
    await database.close()
  }
}
