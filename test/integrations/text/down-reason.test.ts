/** Why a check went down, in the words of its alert. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cause } from '../../../src/integrations/text/alert-text.js'
import { summary } from '../../../src/integrations/text/incident-text.js'
import { smsAlert } from '../../../src/integrations/text/short-text.js'
import { anAlert, aPing, NOW } from '../../_support/alert.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const missed = { expectedAt: NOW - 70 * MINUTE, graceSeconds: 3600 }

const causes: [string, Parameters<typeof anAlert>[0], string][] = [
  [
    'a ping that did not come, by the clock of the reader',
    { detail: missed },
    'No success ping by 13:50 (expected 12:50, grace 1 h, Europe/Riga).',
  ],
  [
    'the same with a schedule in another zone',
    { detail: { ...missed, tz: 'Europe/Berlin' } },
    'No success ping by 13:50 (expected 12:50, grace 1 h, Europe/Riga; 11:50 in Europe/Berlin).',
  ],
  [
    'the same days ago, in a repeat',
    { detail: { expectedAt: NOW - 50 * HOUR, graceSeconds: 60 } },
    'No success ping by 3 Mar 12:01 (expected 3 Mar 12:00, grace 1 min, Europe/Riga).',
  ],
  [
    'a run that did not start',
    { detail: missed, limit: { limitMs: HOUR, startedAt: null, tookMs: null } },
    'No run started by 13:50 (expected 12:50, limit 1 h, Europe/Riga).',
  ],
  [
    'a run that took too long',
    {
      flip: { reason: 'overrun' },
      limit: { limitMs: 4 * HOUR, startedAt: NOW - 252 * MINUTE, tookMs: null },
    },
    'Down since 13:50 UTC+02:00: the run did not finish within its limit of 4 h (started 09:48, Europe/Riga).',
  ],
  [
    'a run that took longer than the grace time',
    { flip: { reason: 'overrun' }, detail: { limitSeconds: 3600 } },
    'Down since 13:50 UTC+02:00: the run did not finish within its limit of 1 h.',
  ],
  [
    'a run that was too short',
    { flip: { reason: 'too_short' }, limit: { limitMs: 30_000, startedAt: null, tookMs: 10_400 } },
    'Down since 13:50 UTC+02:00: the run took 10 s, less than the expected 30 s.',
  ],
  [
    'a run that was too short and not timed by its pings',
    { flip: { reason: 'too_short' }, limit: { limitMs: 30_000, startedAt: null, tookMs: null } },
    'Down since 13:50 UTC+02:00: the run ended too soon.',
  ],
  [
    'an exit status',
    { flip: { reason: 'failed' }, detail: { exitStatus: 3 } },
    'Down since 13:50 UTC+02:00: the job exited with status 3.',
  ],
  [
    'a failure without an exit status',
    { flip: { reason: 'failed' }, detail: {} },
    'Down since 13:50 UTC+02:00: the job reported a failure.',
  ],
  [
    'a failure that was reported late',
    {
      flip: { reason: 'failed' },
      lastPing: aPing({ action: 'fail', exitStatus: 3, at: NOW - 10 * MINUTE, ranAt: NOW - 70 * MINUTE }),
    },
    'Down since 13:50 UTC+02:00: the job exited with status 3 (ran at 12:50, reported at 13:50).',
  ],
  [
    'a recovery by a success that was reported late',
    { status: 'up', lastPing: aPing({ at: NOW - 10 * MINUTE, ranAt: NOW - 70 * MINUTE }) },
    'Up since 13:50 UTC+02:00: ran at 12:50, reported at 13:50. The downtime lasted 1 hour, 30 minutes.',
  ],
  [
    'a recovery by a success that came seconds late',
    { status: 'up', lastPing: aPing({ at: NOW - 10 * MINUTE, ranAt: NOW - 10 * MINUTE - 5_000 }) },
    'Up since 13:50 UTC+02:00. The downtime lasted 1 hour, 30 minutes.',
  ],
  ['a recovery', { status: 'up' }, 'Up since 13:50 UTC+02:00. The downtime lasted 1 hour, 30 minutes.'],
]

for (const [name, changes, expected] of causes) {
  test(`the first sentence about ${name}`, () => {
    assert.equal(cause(anAlert(changes), 'Europe/Riga'), expected)
  })
}

test('the exit status is in the headline, also of a text message', () => {
  const alert = anAlert({ flip: { reason: 'failed' }, lastPing: aPing({ action: 'fail', exitStatus: 2 }) })
  assert.equal(summary(alert, 'UTC'), 'Backup is DOWN, exit status 2')
  assert.equal(
    smsAlert(alert, 'UTC'),
    `Backup is DOWN, exit status 2. Down since 11:50 UTC. ${alert.checkUrl}`,
  )
})

test('a test says that it is one, and gives no reason and no downtime', () => {
  for (const status of ['down', 'up'] as const) {
    const alert = anAlert({ status, test: true, detail: missed })
    assert.equal(cause(alert, 'UTC'), '')
    assert.match(summary(alert, 'UTC'), /^Backup is (DOWN|UP): this is a test$/)
  }
})
