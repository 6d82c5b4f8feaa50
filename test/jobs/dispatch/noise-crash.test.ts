/**
 * Whatever checks do, and wherever dispatchers die, people end up knowing how each check is. Real store, real mail; a
 * dispatcher "dies" when its way to the store breaks, before or after what it asked for last was done.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { LEASE_MS } from '../../../src/jobs/dispatch/claims-in-hand.js'
import type { Store } from '../../../src/storage/store.js'
import type { ReceivedMail } from '../../_support/servers/mail-server.js'
import { NoiseHarness } from '../../_support/worlds/noise-harness.js'
import { wrapStore } from '../../_support/wrap-store.js'

const MINUTE = 60_000
const CHECKS = 9

type Step =
  | { do: 'ping'; checks: number[]; action: 'fail' | 'success' }
  | { do: 'wait'; seconds: number }
  | { do: 'run' }
  | { do: 'die'; calls: number; done: boolean }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('ping' as const),
      checks: fc.uniqueArray(fc.nat(CHECKS - 1), { minLength: 1 }),
      action: fc.constantFrom('fail' as const, 'success' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 1_500 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('run' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('die' as const),
      calls: fc.integer({ min: 1, max: 25 }),
      done: fc.boolean(),
    }),
  },
)

/** A way to the store that breaks after so many calls; the last one is done or not. */
function breaking(store: Store, calls: number, done: boolean): { store: Store; broken(): boolean } {
  let left = calls
  const wrapped = wrapStore(store, (_, method) => async (...args) => {
    left--
    if (left > 0 || (left === 0 && done)) {
      const value = await method(...args)
      if (left > 0) return value
    }
    throw new Error('killed')
  })
  return { store: wrapped, broken: () => left <= 0 }
}

/** What the mails say of each check, the last word counting. */
function toldStates(mails: readonly ReceivedMail[]): Map<string, string> {
  const told = new Map<string, string>()
  for (const { headers, text } of mails) {
    const subject = headers.subject ?? ''
    const single = /^(DOWN|UP) \| (c\d)$/.exec(subject)
    const flapping = /^(c\d) is flapping/.exec(subject)
    if (single) told.set(single[2]!, single[1]!)
    else if (flapping) told.set(flapping[1]!, /It is (DOWN|UP) now/.exec(text)![1]!)
    else for (const [, name, state] of text.matchAll(/- (c\d): (DOWN|UP) /g)) told.set(name!, state!)
  }
  return told
}

test('each check’s status is sent, wherever the process is killed', async t => {
  const run = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async steps => {
    await NoiseHarness.run(t, async quiet => {
      const { id } = await quiet.addMailbox({ hourly_limit: '6' })
      const states = new Map<string, string>()
      let worker = 0
      const settle = async () => {
        const dispatcher = quiet.start(quiet.scene.store, `w${worker++}`)
        await quiet.settled(id, dispatcher)
        await dispatcher.stop()
      }
      for (const one of steps) {
        if (one.do === 'ping') {
          quiet.advance(1_000)
          await quiet.scene.store.pings.record(one.checks.map(n => quiet.scene.arrived(`c${n}`, one.action)))
          for (const n of one.checks) {
            // A first success is no news.
            if (one.action === 'fail') states.set(`c${n}`, 'DOWN')
            else if (states.has(`c${n}`)) states.set(`c${n}`, 'UP')
          }
        } else if (one.do === 'wait') {
          quiet.advance(one.seconds * 1_000)
        } else if (one.do === 'run') {
          await settle()
        } else {
          const { store, broken } = breaking(quiet.scene.store, one.calls, one.done)
          const dispatcher = quiet.start(store, `w${worker++}`)
          for (let tries = 0; tries < 20 && !broken(); tries++) await sleep(5)
          await dispatcher.stop()
          quiet.advance(LEASE_MS.large + 1)
        }
      }
      for (let round = 0; round < 12; round++) {
        await settle()
        const { waiting } = await quiet.scene.store.channels.log(id, 100)
        if (waiting.length === 0) break
        quiet.advance(20 * MINUTE)
      }
      assert.deepEqual((await quiet.scene.store.channels.log(id, 100)).waiting, [])
      const expected = [...states].sort()
      assert.deepEqual([...toldStates(quiet.server.mails)].sort(), expected)
    })
  })
  await fc.assert(run, { numRuns: 4, endOnFailure: true })
})
