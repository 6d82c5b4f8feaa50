import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notes } from '../../../src/integrations/text/alert-text.js'
import { anAlert } from '../../_support/alert.js'

test('an alert after flapping has the number of changes that were held back', () => {
  const said = (superseded: number) => notes({ ...anAlert(), flapped: true, superseded }, 'UTC')
  assert.deepEqual(said(0), ['The check flapped. It is steady now.'])
  assert.deepEqual(said(1), ['The check flapped: 1 change was held back. It is steady now.'])
  assert.deepEqual(said(5), ['The check flapped: 5 changes were held back. It is steady now.'])
})

test('an alert about silence says since when no check has pinged at all', () => {
  const alert = anAlert()
  const since = alert.now - 65 * 60_000
  assert.deepEqual(notes({ ...alert, silentSince: since }, 'UTC'), [
    'No ping from any check since 10:55 UTC.',
  ])
  assert.deepEqual(notes({ ...alert, silentSince: since }, 'Europe/Riga'), [
    'No ping from any check since 12:55 UTC+02:00.',
  ])
})

test('an alert says what about the check may be why, in e-mails and chats', () => {
  const finding = 'The last 9 runs came 2 hours before the schedule.'
  assert.deepEqual(notes({ ...anAlert(), finding }, 'UTC'), [finding])
})
