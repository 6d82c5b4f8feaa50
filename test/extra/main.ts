/**
 * What needs more than npm brings: `npm run test:extra`, or one part of it, named after `--`, or one fault of a part, as
 * `citus-faults/worker-killed`. Prints at the end what ran and what was absent; fails if anything that ran did.
 */
import { missingForCitus, onCitus } from './citus.js'
import { faultsOnCitus } from './citus-faults.js'
import { missingForFaketime, underFaketime } from './faketime.js'
import { missingForPatroni, underPatroni } from './patroni.js'
import { missingForPgBouncer, throughPgBouncer } from './pgbouncer.js'
import { missingForSwift, throughSwift } from './swift.js'

interface Part {
  name: string
  /** What is absent, or null. */
  missing(): string | null
  /** `only`: the names of what is wanted; everything if empty. */
  run(only: readonly string[]): Promise<boolean>
}

const PARTS: readonly Part[] = [
  { name: 'swift', missing: missingForSwift, run: throughSwift },
  { name: 'pgbouncer', missing: missingForPgBouncer, run: throughPgBouncer },
  { name: 'citus', missing: missingForCitus, run: onCitus },
  { name: 'citus-faults', missing: missingForCitus, run: faultsOnCitus },
  { name: 'faketime', missing: missingForFaketime, run: underFaketime },
  { name: 'patroni', missing: missingForPatroni, run: underPatroni },
]

const words = process.argv.slice(2).map(word => word.split('/'))
const results: string[] = []
for (const { name, missing, run } of PARTS) {
  const wanted = words.filter(([part]) => part === name)
  if (words.length > 0 && wanted.length === 0) continue
  const absent = missing()
  if (absent !== null) {
    results.push(`${name}: not run, because these are absent: ${absent}`)
    continue
  }
  console.log(`\n== ${name}`)
  const passed = await run(wanted.flatMap(([, one]) => one ?? [])).catch(error => {
    console.error(error)
    return false
  })
  if (!passed) process.exitCode = 1
  results.push(`${name}: ${passed ? 'passed' : 'FAILED'}`)
}
console.log(`\n${results.join('\n')}`)
