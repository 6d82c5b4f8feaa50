import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClosingEnd } from '../../../src/core/alerts/alert.js'
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
    assert.equal(summary(alert, 'Backup'), expected)
  }
})
