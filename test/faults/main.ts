/**
 * Breaks what the program depends on, repairs it, and checks the result: `npm run test:faults`, with names of faults
 * after `--` for only those, `--sqlite` or `--postgres` for one engine, and `--short` for the form of which
 * `npm test` runs a part. Prints a table at the end; exits with 1 if anything was wrong.
 */
import { cpus, loadavg } from 'node:os'
import { faults } from './faults.js'
import type { Engine } from './frame/bench.js'
import { type Result, runFault } from './frame/run-fault.js'
import { tableOf } from './frame/table.js'

const options = process.argv.slice(2)
const words = options.filter(option => !option.startsWith('--'))
const only = (['sqlite', 'postgres'] as Engine[]).find(engine => options.includes(`--${engine}`))
const thorough = !options.includes('--short')
const unknown = words.filter(word => !(word in faults))
if (unknown.length > 0) throw new Error(`there is no ${unknown}; there are ${Object.keys(faults).join(', ')}`)

const results: Result[] = []
const failed: string[] = []
console.log(`${cpus().length} cores, load average ${loadavg()[0]!.toFixed(1)}`)
const trials = Object.entries(faults)
  .filter(([name]) => words.length === 0 || words.includes(name))
  .flatMap(([name, fault]) => {
    const engines = thorough ? fault.engines : (fault.inShort ?? fault.engines)
    return engines.filter(engine => !only || engine === only).map(engine => ({ name, fault, engine }))
  })
// The short form mostly waits. The long form measures.
const line = trials.values()
await Promise.all(Array.from({ length: thorough ? 1 : 3 }, tryNext))

async function tryNext(): Promise<void> {
  for (const { name, fault, engine } of line) {
    try {
      const result = await runFault(fault, engine, thorough)
      results.push(result)
      console.log(`passed ${name} on ${engine}, ${result.seconds} s`)
    } catch (error) {
      failed.push(`${name} on ${engine}`)
      console.log(`FAILED ${name} on ${engine}:`, error)
    }
  }
}

console.log(`\n${tableOf(results)}`)
if (failed.length > 0) {
  console.log(`\nFailed: ${failed.join(', ')}`)
  process.exitCode = 1
}
