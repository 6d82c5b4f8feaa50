/** A few faults in the short form: `npm run test:faults -- --short` tries all of them. */
import { describe, test } from 'node:test'
import { faults } from './faults.js'
import type { Engine } from './frame/bench.js'
import { runFault } from './frame/run-fault.js'

/** One of each sort: kills, a database that goes away, one that hangs, a full disk, a clock and a receiver. */
const tried: readonly (readonly [keyof typeof faults, Engine])[] = [
  ['killed', 'sqlite'],
  ['killed', 'postgres'],
  ['database-killed', 'postgres'],
  ['checks-locked', 'postgres'],
  ['disk-full', 'sqlite'],
  ['clock-stepped', 'sqlite'],
  ['hanging-receiver', 'sqlite'],
]

describe('everything acknowledged is stored once, nothing is stuck and all alerts are sent, after', {
  concurrency: 3,
}, () => {
  for (const [name, engine] of tried) {
    const fault = faults[name]!
    test(`${fault.name} (${engine})`, async () => {
      await runFault(fault, engine, false)
    })
  }
})
