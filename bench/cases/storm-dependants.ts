import type { Case } from '../case.js'
import { median } from '../median.js'
import type { Site } from '../site.js'
import { CHECKS, runStorm, type Storm, WITHIN_MS } from './storm-site.js'

export const stormDependants: Case = {
  name: 'storm-dependants',
  title:
    'Storm under one check: 10,000 checks due at once, of which 9,999 depend on one, beside 1,000 pings a second',
  target: 'one message, ping p99 under 50 ms',
  remote: false,
  async run(options) {
    const runs = []
    for (let run = 0; run < options.runs; run++) {
      runs.push(await runStorm(options, held, number => (number > 0 ? 0 : null)))
    }
    return [
      { what: 'all down after', unit: 'ms', value: median(runs.map(({ flipsMs }) => flipsMs)) },
      { what: 'all others held after', unit: 'ms', value: median(runs.map(({ heldMs }) => heldMs)) },
      { what: 'messages', unit: '', value: Math.max(...runs.map(({ messages }) => messages)) },
      { what: 'ping p99 during it', unit: 'ms', value: median(runs.map(({ p99 }) => p99)) },
    ]
  },
}

/** When (ms) all checks but the one on which they depend are held, and how many messages arrived in the end. */
async function held({ site, receiver, pingsOver }: Storm, due: number) {
  const heldMs = (await whenHeld(site, CHECKS - 1)) - due
  await pingsOver
  return { heldMs, messages: (await receiver.arrivals()).length }
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
