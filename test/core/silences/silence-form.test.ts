/** The form of a silence. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSilenceForm } from '../../../src/core/silences/silence-form.js'

const FORMS = [
  ['2026-11-24T08:13:00.000Z', '2026-11-24T11:13'],
  ['2026-11-24T08:13:56.000Z', '2026-11-24T11:14'],
] as const

for (const [now, to] of FORMS) {
  test(`a new silence at ${now} lasts two hours at least`, () => {
    assert.equal(newSilenceForm('Europe/Berlin', Date.parse(now), null).to, to)
  })
}
