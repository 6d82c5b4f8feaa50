/** The sentence that says what the settings of runs and tolerance do. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS, type Settings } from '../../../../src/core/checks/check-fields.js'
import { alertWords } from '../../../../src/core/checks/health/alert-words.js'

const HOUR = 3_600

const sentences: [string, Partial<Settings>, string][] = [
  [
    'the defaults',
    {},
    'Alerts at the first failure, when a run is missed, or when a run takes longer than 1 hour.',
  ],
  [
    'three failures and a limit',
    { failuresToAlert: 3, maxDurationSeconds: 4 * HOUR },
    'Alerts at the third failure in a row, when a run is missed, or when a run takes longer than 4 hours.',
  ],
  [
    'three failures or missed runs',
    { failuresToAlert: 3, tolerated: 'failed,missed', maxDurationSeconds: 4 * HOUR },
    'Alerts at the third failure or missed run in a row, or when a run takes longer than 4 hours.',
  ],
  [
    'a window',
    { failuresToAlert: 3, failureWindow: 10 },
    'Alerts at the third failure among the last 10 results, when a run is missed, or when a run takes longer than 1 hour.',
  ],
  [
    'a window that is too small',
    { failuresToAlert: 12, failureWindow: 5, tolerated: 'failed,missed,overrun,too_short' },
    'Alerts at the 12th failure, missed run or run over 1 hour among the last 12 results.',
  ],
  [
    'only missed runs tolerated',
    { failuresToAlert: 2, tolerated: 'missed' },
    'Alerts at the first failure, at the second missed run in a row, or when a run takes longer than 1 hour.',
  ],
  [
    'a start within, a longest and a shortest run',
    { startWithinSeconds: 300, maxDurationSeconds: 4 * HOUR, minDurationSeconds: 30 },
    'Alerts at the first failure, when a run has not started within 5 minutes, ' +
      'or when a run takes longer than 4 hours or less than 30 seconds.',
  ],
  [
    'everything tolerated',
    {
      failuresToAlert: 3,
      tolerated: 'failed,missed,overrun,too_short',
      startWithinSeconds: 300,
      minDurationSeconds: 30,
    },
    'Alerts at the third failure, missed run (not started within 5 minutes), run over 1 hour or run under 30 seconds in a row.',
  ],
  [
    'nothing tolerated',
    { failuresToAlert: 3, tolerated: '' },
    'Alerts at the first failure, when a run is missed, or when a run takes longer than 1 hour.',
  ],
  [
    'a tolerance of short runs alone',
    { failuresToAlert: 22, tolerated: 'too_short', minDurationSeconds: 30 },
    'Alerts at the first failure, at the 22nd run under 30 seconds in a row, when a run is missed, ' +
      'or when a run takes longer than 1 hour.',
  ],
]

for (const [name, settings, expected] of sentences) {
  test(`the sentence for ${name}`, () => {
    assert.equal(alertWords({ ...DEFAULT_SETTINGS, ...settings }), expected)
  })
}

const besides: [string, Partial<Settings>, string][] = [
  ['every run', { trackRuns: 'each' }, 'Every run has its own limit.'],
  ['successes', { successesToRecover: 2 }, 'It is up again at the second success in a row.'],
  ['exit statuses', { successExitCodes: '0,3,100-110' }, 'Exit status 0, 3 or 100-110 is a success.'],
  ['early pings', { kind: 'cron', earlySeconds: 60 }, 'A ping may come 1 minute early.'],
]

for (const [name, settings, expected] of besides) {
  test(`the setting ${name} adds a sentence`, () => {
    const said = alertWords({ ...DEFAULT_SETTINGS, ...settings })
    assert.equal(said, `${alertWords(DEFAULT_SETTINGS)} ${expected}`)
  })
}

test('early pings are not mentioned for a check with a period', () => {
  assert.equal(alertWords({ ...DEFAULT_SETTINGS, earlySeconds: 60 }), alertWords(DEFAULT_SETTINGS))
})
