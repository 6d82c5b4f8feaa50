import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../src/core/checks/check-fields.js'
import { checkState } from '../../../src/core/checks/check-state.js'
import type { FlipReason } from '../../../src/core/checks/flip.js'

const MINUTE = 60_000
const up = {
  ...DEFAULT_SETTINGS,
  status: 'up' as const,
  statusSince: 0,
  lastStart: null as number | null,
  lastDurationMs: null,
  lastPing: 0,
  dueAt: 60 * MINUTE,
  alertAfter: 70 * MINUTE,
  graceSeconds: 600,
  tracking: null,
}
const down = (since: number) => ({
  ...up,
  status: 'down' as const,
  statusSince: since * MINUTE,
  dueAt: null,
  alertAfter: null,
})
const flip = (minute: number, reason: FlipReason) => ({
  newStatus: 'down' as const,
  reason,
  createdAt: minute * MINUTE,
})

type Told = [
  status: string,
  since: number,
  reason: FlipReason,
  expected: number | null,
  runningUntil: number | null,
]

const table: [string, Parameters<typeof checkState>[0], ReturnType<typeof flip> | null, number, Told][] = [
  ['before the due time it is up', up, null, 59, ['up', 0, '', 60, null]],
  ['at the due time it is late since then', up, null, 60, ['grace', 60, '', 60, null]],
  [
    'at the end of grace it is down since then, noticed or not',
    up,
    null,
    75,
    ['down', 70, 'missed', null, null],
  ],
  [
    'a running job may last as long as grace',
    { ...up, lastStart: 55 * MINUTE, alertAfter: 65 * MINUTE },
    null,
    57,
    ['up', 0, '', 60, 65],
  ],
  [
    'a run that lasts too long has overrun',
    { ...up, lastStart: 55 * MINUTE, alertAfter: 65 * MINUTE },
    null,
    66,
    ['down', 65, 'overrun', null, null],
  ],
  ['the flip says why it is down', down(30), flip(30, 'failed'), 40, ['down', 30, 'failed', null, null]],
  ['a timeout was stored', down(70), flip(70, 'missed'), 80, ['down', 70, 'missed', null, null]],
  [
    'a down check may be running',
    { ...down(70), lastStart: 78 * MINUTE },
    flip(70, 'missed'),
    80,
    ['down', 70, 'missed', null, 88],
  ],
]

for (const [name, check, lastFlip, minute, expected] of table) {
  test(`the state of a check: ${name}`, () => {
    const state = checkState(check, lastFlip, minute * MINUTE, null)
    const minutes = (ms: number | null | undefined) => (ms == null ? null : ms / MINUTE)
    assert.deepEqual(
      [
        state.status,
        minutes(state.since),
        state.reason,
        minutes(state.expectedAt),
        minutes(state.running?.limitAt),
      ],
      expected,
    )
  })
}

test('a timeout names the deadlines that passed', () => {
  const { missed } = checkState(down(70), flip(70, 'missed'), 80 * MINUTE, null)
  assert.deepEqual(missed, { expectedAt: 60 * MINUTE, graceEndedAt: 70 * MINUTE })
})
