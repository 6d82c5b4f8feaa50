/** Servers of Citus are lost or cut off under load. */
import { citusFaults } from '../faults/citus/citus-faults.js'
import { type Result, runFault } from '../faults/frame/run-fault.js'
import { tableOf } from '../faults/frame/table.js'

/** Tries the faults of these names, or all, and prints a table. Returns whether all passed. */
export async function faultsOnCitus(names: readonly string[]): Promise<boolean> {
  const results: Result[] = []
  let passed = true
  for (const [name, fault] of Object.entries(citusFaults)) {
    if (names.length > 0 && !names.includes(name)) continue
    try {
      results.push(await runFault(fault, 'postgres', false))
      console.log(`passed ${name}, ${results.at(-1)!.seconds} s`)
    } catch (error) {
      passed = false
      console.log(`FAILED ${name}:`, error)
    }
  }
  console.log(`\n${tableOf(results)}`)
  return passed
}
