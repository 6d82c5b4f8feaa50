import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClosingEnd } from '../../../src/core/alerts/alert.js'
import { cause } from '../../../src/integrations/text/alert-text.js'
import { summary } from '../../../src/integrations/text/incident-text.js'
import { anAlert } from '../../_support/alert.js'

const ENDS: [ClosingEnd, string][] = [
  ['deleted', 'Backup is DELETED: it was down for 2 minutes'],
  ['cleared', 'Backup is CLEARED: it was down for 2 minutes'],
  ['unlinked', 'Backup is UNLINKED: it was down for 2 minutes and is no longer reported here'],
  ['moved', 'Backup is MOVED: it was down for 2 minutes and is no longer reported here'],
]

test('the closing of an incident without a recovery says what happened to the check', () => {
  for (const [closing, expected] of ENDS) {
    const alert = anAlert({ status: 'up', closing, downtimeMs: 120_000 })
    assert.equal(summary(alert, 'UTC', 'Backup'), expected)
  }
})

test('a recovery says how many runs were missed where more than one was', () => {
  const said = (missedRuns: number) => {
    const alert = anAlert({ status: 'up', downtimeMs: 120_000, missedRuns })
    return [summary(alert, 'UTC', 'Backup'), cause(alert, 'UTC')]
  }
  assert.deepEqual(said(1), [
    'Backup is UP: it was down for 2 minutes',
    'Up since 11:50 UTC. The downtime lasted 2 minutes.',
  ])
  assert.deepEqual(said(3), [
    'Backup is UP: it was down for 2 minutes and missed 3 runs',
    'Up since 11:50 UTC. The downtime lasted 2 minutes; 3 runs were missed.',
  ])
  assert.match(said(1_001)[1]!, /more than 1000 runs were missed/)
})
