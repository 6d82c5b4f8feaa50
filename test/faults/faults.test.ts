/** The short form of `npm run test:faults`. */
import { describe, test } from 'node:test'
import { faults } from './faults.js'
import { runFault } from './frame/run-fault.js'

describe('everything acknowledged is stored once, nothing is stuck and all alerts are sent, after', {
  concurrency: 3,
}, () => {
  for (const fault of Object.values(faults)) {
    for (const engine of fault.inShort ?? fault.engines) {
      test(`${fault.name} (${engine})`, async () => {
        await runFault(fault, engine, false)
      })
    }
  }
})
