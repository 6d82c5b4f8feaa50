import { rmSync } from 'node:fs'
import type { Case, Figure } from '../case.js'
import { ACTS } from '../largest/acts/index.js'
import { type Arena, type ArenaName, makeArena } from '../largest/arena.js'
import { measure, type Noticed } from '../largest/measure.js'
import { median } from '../median.js'
import type { Options } from '../options.js'
import { dropDatabase } from '../postgres-site.js'
import { startReceiver } from '../receiver.js'

export const largest: Case = {
  name: 'largest',
  title:
    'Pings and alerts of one tenant while another makes the largest writes and reads that it can, one at a time',
  target: 'pings: 250 ms at most; alerts: a second',
  remote: false,
  long: true,
  async run(options) {
    const receivers = { quiet: await startReceiver(), loud: await startReceiver() }
    const arenas = new Map<ArenaName, Arena>()
    const figures: Figure[] = []
    try {
      const chosen = ACTS.filter(({ name }) => options.acts.some(word => name.includes(word)))
      for (const act of chosen) {
        let arena = arenas.get(act.arena)
        if (!arena) {
          arena = await makeArena(options, act.arena, receivers.quiet, receivers.loud)
          arenas.set(act.arena, arena)
        }
        const runs: Noticed[] = []
        for (let run = 0; run < options.runs; run++) {
          const noticed = await measure(options, arena, act, receivers.quiet).catch((error: unknown) => {
            console.error(`  ${act.name}: ${error instanceof Error ? error.message : error}`)
            return null
          })
          if (noticed) runs.push(noticed)
        }
        if (runs.length === 0) continue
        figures.push(figure(act.name, runs))
        console.log(`  ${act.name.padEnd(70)} ${JSON.stringify(figures.at(-1))}`)
      }
    } finally {
      await receivers.quiet.stop()
      await receivers.loud.stop()
      await removeArenas(options, [...arenas.values()])
    }
    return figures
  },
}

function figure(what: string, runs: readonly Noticed[]): Figure {
  const of = (value: (one: Noticed) => number) => median(runs.map(value))
  return {
    what,
    unit: 'ms',
    value: of(({ max }) => max),
    also: {
      'median ms': of(({ p50 }) => p50),
      'p99 ms': of(({ p99 }) => p99),
      'max before ms': of(({ maxBefore }) => maxBefore),
      refused: of(({ refused }) => refused),
      'alert p99 ms': of(({ alertP99 }) => alertP99),
      'alert max ms': of(({ alertMax }) => alertMax),
      'no alert': of(({ missing }) => missing),
      'act ms': of(({ actMs }) => actMs),
    },
  }
}

async function removeArenas({ server }: Options, arenas: readonly Arena[]): Promise<void> {
  for (const { folder, template } of arenas) {
    if (template) await dropDatabase(server!, template.database)
    rmSync(folder, { recursive: true })
  }
}
