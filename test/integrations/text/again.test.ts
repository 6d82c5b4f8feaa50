/** What alerts say that send an open incident once more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Alert } from '../../../src/core/alerts/alert.js'
import { notes } from '../../../src/integrations/text/alert-text.js'
import { quotedHeadline, sentence, title } from '../../../src/integrations/text/chat-text.js'
import { smsAlert, spokenAlert } from '../../../src/integrations/text/short-text.js'
import { anAlert } from '../../_support/alert.js'

const { now, flip } = anAlert()
const long = { flip: { ...flip, createdAt: now - 2 * 3_600_000 } }

test('a repeat says in every form that the check is still down', () => {
  const alert = anAlert({ ...long, again: 'repeat' })
  const sms = (alert: Alert) => smsAlert(alert, 'UTC')
  const plain = (alert: Alert) => title(alert)
  for (const words of [plain, quotedHeadline, sentence, sms, spokenAlert]) {
    assert.match(words(alert), /is still down/i, words.name)
    assert.doesNotMatch(words(anAlert(long)), /still down/i, words.name)
    assert.doesNotMatch(words(anAlert({ ...long, again: 'step' })), /still down/i, words.name)
  }
})

test('a step and a repeat say since when it has been down, and that nobody has acknowledged it', () => {
  for (const again of ['step', 'repeat'] as const) {
    const [note] = notes(anAlert({ ...long, again }), 'Europe/Riga')
    assert.match(
      note!,
      /^It has been down since .* UTC\+02:00, for 2 hours, and nobody has acknowledged it\.$/,
    )
  }
  assert.deepEqual(notes(anAlert(long), 'UTC'), [])
})

test('a recovery that takes the place of a repeat does not say so', () => {
  const alert = anAlert({ ...long, status: 'up', again: 'repeat' })
  assert.doesNotMatch(title(alert), /still/)
  assert.ok(!notes(alert, 'UTC').some(note => note.includes('acknowledged')))
})
