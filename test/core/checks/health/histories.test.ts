/** The histories worked through by hand: docs/runs.md. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HISTORIES } from './histories/index.js'
import { comparable, namesOf, replay } from './replay.js'

for (const [subject, histories] of Object.entries(HISTORIES)) {
  describe(`histories of ${subject}`, () => {
    for (const history of histories) {
      test(history.name, () => {
        const names = namesOf(history.steps)
        for (const [place, told] of replay(history).entries()) {
          const [actual, expected] = comparable(told, history.steps[place]![2])
          assert.deepEqual(actual, expected, `after ${names[place]}: ${told}`)
        }
      })
    }
  })
}
