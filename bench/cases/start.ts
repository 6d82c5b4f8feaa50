import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Case } from '../case.js'
import { median } from '../median.js'
import { nextPort, residentMb, startProgram } from '../program.js'
import { openSite } from '../site.js'

const IDLE_MS = 5_000

export const start: Case = {
  name: 'start',
  title: 'Start with an empty database; idle memory',
  reach: 'first OK in under 500 ms; under 90 MB',
  remote: false,
  async run(options) {
    const runs: { emptyMs: number; knownMs: number; idleMb: number }[] = []
    for (let run = 0; run < options.runs; run++) {
      const folder = join(options.folder, `empty-${process.pid}`)
      rmSync(folder, { recursive: true, force: true })
      const program = await startProgram(folder, nextPort())
      await new Promise(resolve => setTimeout(resolve, IDLE_MS))
      const idleMb = residentMb(program.pid)
      await program.stop()
      rmSync(folder, { recursive: true })
      const site = await openSite(options, { checks: 1 })
      await site.stop()
      runs.push({ emptyMs: program.startMs, knownMs: site.startMs, idleMb })
    }
    return [
      { what: 'start, empty, to an answer', unit: 'ms', value: median(runs.map(({ emptyMs }) => emptyMs)) },
      { what: 'start to the first ping', unit: 'ms', value: median(runs.map(({ knownMs }) => knownMs)) },
      { what: 'idle memory', unit: 'MB', value: median(runs.map(({ idleMb }) => idleMb)) },
    ]
  },
}
