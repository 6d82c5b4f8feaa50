/** The counts of sent messages are kept in SQL; the rules in core/alerts/delivery/allowance.ts say what they must be. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type SentCounts, withOneMore } from '../../../src/core/alerts/delivery/allowance.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const NONE = { from: null, down: 0, other: 0 }

/** Milliseconds between messages: around a minute and an hour, within both, or a clock that is set back. */
const gaps = fc.oneof(
  fc.constantFrom(0, 1, MINUTE - 1, MINUTE, MINUTE + 1, HOUR - 1, HOUR, HOUR + 1, -1, -5 * SECOND),
  fc.integer({ min: 0, max: 30 * SECOND }),
  fc.integer({ min: 0, max: 20 * MINUTE }),
)

const events = fc.array(
  fc.record({ gap: gaps, alertClass: fc.constantFrom('down' as const, 'other' as const, null) }),
  { minLength: 10, maxLength: 30 },
)

test('the database counts sent messages, and no failed attempts, as the rules do', async t => {
  await fc.assert(
    fc.asyncProperty(events, async history => {
      const scene = await StoreHarness.open(t)
      await scene.addChannel('A')
      let sent: SentCounts = { minute: NONE, hour: NONE }
      for (const [index, { gap, alertClass }] of history.entries()) {
        scene.now += gap
        await scene.ping(`c${index}`, 'fail')
        const [message] = await scene.claim()
        assert.deepEqual(message!.channel.sent, sent)
        if (alertClass === null) await scene.settle(message!, { type: 'failed', error: 'refused' })
        else {
          await scene.settle(message!, { type: 'sent', alertClass, flapping: null })
          sent = withOneMore(sent, alertClass, scene.now)
        }
      }
    }),
    { numRuns: 6 },
  )
})
