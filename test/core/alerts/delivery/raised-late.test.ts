/** Which down alerts are raised late, and until when they wait for pings that may not be heard. Decision 0104. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Change } from '../../../../src/core/alerts/delivery/change.js'
import {
  type Hearing,
  mayBeLate,
  type RaisedCheck,
  waitsUntil,
} from '../../../../src/core/alerts/delivery/raised-late.js'
import { downChange } from '../../../_support/waiting-check.js'

const S = 1_000
const NOW = Date.UTC(2026, 0, 15, 3)

const FRESH = downChange(NOW - 10 * S)
const HELD: Change = { ...FRESH, at: NOW - 3_600 * S, createdAt: NOW - 3_600 * S, heldBy: 'silence' }
const REPEAT: Change = { ...HELD, heldBy: null, createdAt: NOW, again: 'repeat' }

test('alerts after a hold or an acknowledgement, of steps and of repeats are late, and those of failures are not', () => {
  const reported = { flipId: 1 }
  const known: [string, Pick<RaisedCheck, 'changes' | 'reported'>, boolean][] = [
    ['a failure', { changes: [FRESH], reported: null }, false],
    ['the next failure, if the end of the last was not sent', { changes: [HELD], reported }, false],
    ['the end of a hold', { changes: [HELD], reported: null }, true],
    [
      'a channel that can be used again',
      { changes: [{ ...HELD, heldBy: null, createdAt: NOW }], reported: null },
      true,
    ],
    ['a step', { changes: [{ ...REPEAT, again: 'step' }], reported: null }, true],
    ['a repeat', { changes: [REPEAT], reported }, true],
    ['a repeat that may have arrived', { changes: [{ ...REPEAT, attempts: 1 }], reported }, false],
    ['a recovery', { changes: [{ ...FRESH, status: 'up' }], reported }, false],
  ]
  for (const [name, check, isLate] of known) assert.equal(mayBeLate(check), isLate, name)
})

test('an alert raised late waits until pings are heard up to then, and until the end of a hold', () => {
  const none = { outage: null, heldUntil: () => null, heldUpTo: () => null }
  const calm: Hearing = { heardUntil: NOW - 1_500, isTroubled: false, ...none }
  const unheard: Hearing = { ...calm, heardUntil: NOW - 3 * S, isTroubled: true }
  const outage = { startedAt: NOW - 9 * S, endedAt: NOW - 4 * S }
  const hold = { from: NOW - 9 * S, until: NOW + 26 * S }
  const inHold: Hearing = { ...calm, outage, heldUntil: at => (at >= hold.from ? hold.until : null) }
  const late = {
    changes: [HELD],
    reported: null,
    cause: 'failed',
    lastPing: NOW - 3_600 * S,
    heldSince: null,
  } as const
  const known: [string, Partial<RaisedCheck>, Hearing, number | null][] = [
    ['all is well', {}, calm, null],
    ['nobody says that pings are heard', {}, unheard, NOW + S],
    ['nor that those were when it was raised', { heldSince: NOW - 2 * S }, unheard, NOW + S],
    ['it was raised before that', { heldSince: NOW - 4 * S }, unheard, null],
    ['the check was pinged before that', { lastPing: NOW - 4 * S }, unheard, NOW + S],
    ['a repeat', { changes: [REPEAT], reported: { flipId: 1 } }, unheard, NOW + S],
    ['in a hold', {}, inHold, NOW + 26 * S],
    ['a repeat in a hold', { changes: [REPEAT], reported: { flipId: 1 } }, inHold, NOW + 26 * S],
    ['the check was pinged since', { lastPing: NOW - 3 * S }, inHold, null],
  ]
  for (const [name, check, hearing, until] of known)
    assert.equal(waitsUntil({ ...late, ...check }, hearing, NOW), until, name)
})
