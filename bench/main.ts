/** Measures Punctual against what the machine could do: `npm run bench`. See docs/performance.md. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../src/lib/package-root.js'
import { startCluster } from '../test/_support/servers/postgres-server.js'
import type { Case } from './case.js'
import { cases } from './cases/index.js'
import { measureFsync, refuseMemory } from './disk.js'
import { type Engine, type Options, readOptions, USAGE } from './options.js'
import { SERVER_SETTINGS } from './postgres-site.js'
import { machine, print, printRatio, type Result, resultOf, write } from './report.js'
import { writeSection } from './table.js'

if (process.argv.includes('--help')) {
  console.log(USAGE)
} else {
  await main().catch(error => {
    console.error(error)
    process.exitCode = 1
  })
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), join(packageRoot, 'bench/.data'))
  const chosen = cases.filter(
    ({ name, remote, long }) =>
      options.only.some(word => name.includes(word) && !(long && word === '')) &&
      (remote || !options.against),
  )
  if (chosen.length === 0) throw new Error(`no case is called ${options.only.join(' or ')}`)
  mkdirSync(options.folder, { recursive: true })
  refuseMemory(options.folder)
  const measuredOn = machine(measureFsync(options.folder))
  console.log(
    Object.entries(measuredOn)
      .map(pair => pair.join(' '))
      .join(', '),
  )
  const server =
    !options.against && options.engines.includes('postgres') ? await startCluster(SERVER_SETTINGS) : null
  const results: Result[] = []
  try {
    for (const one of chosen) {
      for (const engine of enginesOf(one, options)) {
        const figures = await one.run({ ...options, server: engine === 'postgres' ? server : null })
        const result = resultOf(one, engine, figures)
        print(result)
        results.push(result)
      }
      printRatio(results.filter(result => result.case === one.name))
    }
  } finally {
    await server?.remove()
  }
  console.log(`\n${write(measuredOn, results)}`)
  if (options.docs) writeSection(measuredOn, results)
}

/** The engines that a case runs on; `null` if it concerns none, or a server that is already running. */
function enginesOf({ once }: Case, { engines, against }: Options): readonly (Engine | null)[] {
  return once || against ? [null] : engines
}
