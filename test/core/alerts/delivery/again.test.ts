/** Steps and repeats of policies that wait for a channel, as the plan of its messages treats them. Decision 0115. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Change } from '../../../../src/core/alerts/delivery/change.js'
import { planChannel } from '../../../../src/core/alerts/delivery/plan.js'
import type { ChannelState, WaitingCheck } from '../../../../src/core/alerts/delivery/plan-values.js'
import { channelAt, downChange, waitingCheck } from '../../../_support/waiting-check.js'

const NOW = Date.UTC(2026, 0, 15, 3)
const MINUTE = 60_000

const STEP: Change = { ...downChange(NOW - 30 * MINUTE), createdAt: NOW - 15 * MINUTE, again: 'step' }
const TRIED: Change = { ...STEP, attempts: 1 }
const UP: Change = { ...STEP, id: 2, status: 'up', flipId: 2, at: NOW, createdAt: NOW, again: null }
const DOWN: Change = { ...STEP, id: 2, again: null }

const CHECK = waitingCheck([STEP])

const CHANNEL = channelAt(NOW)
const WITHOUT_UP: ChannelState = { ...CHANNEL, rules: { ...CHANNEL.rules, up: false } }

/** The changes that are sent, and why others wait or are dropped. */
function planned(check: Partial<WaitingCheck>, channel = CHANNEL): string[] {
  const checks = [{ ...CHECK, ...check }]
  const { messages, holds, drops } = planChannel(channel, { checks, notices: [] }, { most: 5 }, NOW)
  return [
    ...messages.flatMap(({ parts }) =>
      parts.map(({ change, missedDown }) => `${change.status}${missedDown ? ' after a missed down' : ''}`),
    ),
    ...holds.map(({ reason, until }) => `${reason} for ${(until - NOW) / MINUTE} min`),
    ...drops.map(({ reason }) => `dropped: ${reason}`),
  ]
}

const isAcknowledged = true
const reported = { flipId: 1 }

const CASES: [string, Partial<WaitingCheck>, string[], ChannelState?][] = [
  ['is sent', {}, ['down']],
  ['is sent after a failure', { changes: [TRIED] }, ['down']],
  ['is dropped if acknowledged', { isAcknowledged }, ['dropped: acknowledged']],
  [
    'that may have arrived waits while acknowledged',
    { changes: [TRIED], isAcknowledged },
    ['acknowledged for 15 min'],
  ],
  [
    'that may have arrived is dropped if acknowledged and the channel wants no recoveries',
    { changes: [TRIED], isAcknowledged },
    ['dropped: acknowledged'],
    WITHOUT_UP,
  ],
  [
    'that the channel knows of is dropped if acknowledged, though it was tried',
    { changes: [TRIED], isAcknowledged, reported },
    ['dropped: acknowledged'],
  ],
  [
    'that waited while acknowledged is replaced by the recovery, which says both',
    { changes: [{ ...TRIED, heldBy: 'acknowledged' }, UP], isDown: false },
    ['up after a missed down', 'dropped: superseded'],
  ],
  [
    'beside a down alert does not keep that, acknowledged or not',
    { changes: [TRIED, DOWN], isAcknowledged },
    ['down', 'dropped: superseded'],
  ],
]

for (const [what, check, expected, channel] of CASES)
  test(`a step ${what}`, () => assert.deepEqual(planned(check, channel), expected))
