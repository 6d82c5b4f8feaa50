/**
 * Breaks what the program depends on, repairs it, and checks the result: `npm run test:faults`, with names of faults
 * after `--` for only those, `--sqlite` or `--postgres` for one engine, and `--short` for the form that `npm test`
 * runs. Prints a table at the end; exits with 1 if anything was wrong.
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
for (const [name, fault] of Object.entries(faults)) {
  if (words.length > 0 && !words.includes(name)) continue
  const engines = thorough ? fault.engines : (fault.inShort ?? fault.engines)
  for (const engine of engines.filter(one => !only || one === only)) {
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
