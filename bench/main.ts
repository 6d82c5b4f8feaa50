/** Measures what Punctual does, against what the machine could do: `npm run bench`. See docs/performance.md. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../src/lib/package-root.js'
import { cases } from './cases/index.js'
import { measureFsync, refuseMemory } from './disk.js'
import { readOptions, USAGE } from './options.js'
import { machine, print, type Result, resultOf, write } from './report.js'

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
    ({ name, remote }) => name.includes(options.only) && (remote || !options.against),
  )
  if (chosen.length === 0) throw new Error(`no case is called ${options.only}`)
  mkdirSync(options.folder, { recursive: true })
  refuseMemory(options.folder)
  const measuredOn = machine(measureFsync(options.folder))
  console.log(
    Object.entries(measuredOn)
      .map(pair => pair.join(' '))
      .join(', '),
  )
  const results: Result[] = []
  for (const one of chosen) {
    const result = resultOf(one, await one.run(options))
    print(result)
    results.push(result)
  }
  console.log(`\n${write(measuredOn, results)}`)
}
