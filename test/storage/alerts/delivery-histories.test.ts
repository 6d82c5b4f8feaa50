/** T2, T3 and T6 of decision 0102 over random histories, with the store that carries the plan out. */
import { test } from 'node:test'
import fc from 'fast-check'
import { play } from '../../_support/histories/play.js'
import { anyRules, anyStep } from '../../_support/histories/steps.js'
import { StoreWorld } from '../../_support/histories/store-world.js'
import { openFreshStore } from '../../_support/worlds/store.js'

test('a store carries out what the plan says: channels learn what is true, once', async () => {
  const steps = fc.array(anyStep, { minLength: 10, maxLength: 50 })
  const history = fc.asyncProperty(anyRules, steps, async (rules, some) => {
    const fresh = await openFreshStore()
    try {
      await play(await StoreWorld.open(fresh, rules), some)
    } finally {
      await fresh.remove()
    }
  })
  await fc.assert(history, { numRuns: 12, includeErrorInReport: true, endOnFailure: true })
})
