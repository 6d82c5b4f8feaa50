import fc from 'fast-check'
import type { World } from '../worlds/world.js'
import { FuzzRun } from './fuzz-run.js'
import { step } from './fuzz-steps.js'

/**
 * Sends at least `requests` random requests, in runs with their own projects, and compares the server with a model
 * after each step. Throws with the shortest steps that show a difference.
 */
export async function fuzz(world: World, requests: number): Promise<void> {
  let sent = 0
  while (sent < requests) {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 80, size: 'max' }), async steps => {
        const run = new FuzzRun(world, [await world.account(), await world.account()])
        for (const step of steps) {
          const touched = await run.apply(step)
          if (touched) await run.verify(touched)
        }
        await run.verifyAll()
        sent += run.sent
      }),
      { numRuns: 5 },
    )
  }
}
