import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CauseDetail, causeDetail, causeSentence } from '../../../src/core/incidents/cause-detail.js'
import { clockWords } from '../../../src/core/time/instant.js'

const AT = Date.UTC(2026, 0, 15, 13, 50)
const ZONE = 'Europe/Riga'
const rules = {
  kind: 'simple',
  tz: 'UTC',
  graceSeconds: 3_600,
  startWithinSeconds: null,
  maxDurationSeconds: null,
  minDurationSeconds: null,
} as const
const down = (reason: 'failed' | 'missed' | 'overrun' | 'too_short') =>
  ({ createdAt: AT, oldStatus: 'up', newStatus: 'down', reason }) as const

/** The sentence as a reader in Riga has it. */
const sentence = (cause: string, detail: CauseDetail) =>
  causeSentence(cause, detail, (ms, zone = ZONE) => clockWords(ms, AT, zone), ZONE)

for (const [name, reason, changed, exitStatus, expected] of [
  ['a failure with an exit status names it', 'failed', {}, 2, 'Exit status 2.'],
  ['a failure signal without one says so', 'failed', {}, null, 'The job reported a failure.'],
  [
    'a missed ping of a period has its times and the grace',
    'missed',
    {},
    null,
    'No success ping by 15:50 (expected 14:50, grace 1 h).',
  ],
  [
    'a missed ping of a schedule has the time in its zone, too',
    'missed',
    { kind: 'cron', tz: 'Europe/Berlin' },
    null,
    'No success ping by 15:50 (expected 14:50, 13:50 Europe/Berlin, grace 1 h).',
  ],
  [
    'a schedule in the reader’s own zone has its time once',
    'missed',
    { kind: 'cron', tz: ZONE, startWithinSeconds: 600 },
    null,
    'No success ping by 15:50 (expected 15:40, grace 10 min).',
  ],
  [
    'a run that took too long has its limit',
    'overrun',
    { maxDurationSeconds: 1_200 },
    null,
    'The run did not finish within its limit of 20 min.',
  ],
  [
    'a run that was too short has its limit',
    'too_short',
    { minDurationSeconds: 30 },
    null,
    'The run took less than the expected 30 s.',
  ],
] as const) {
  test(name, () => {
    const detail = causeDetail(down(reason), { ...rules, ...changed }, exitStatus)
    assert.equal(sentence(reason, detail), expected)
  })
}

test('an incident of which nothing is known has the words of its cause', () => {
  assert.equal(sentence('overrun', {}), 'The run did not finish in time.')
  assert.equal(sentence('', {}), 'It went down.')
})
