import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentSince } from '../../../src/core/instance/silence.js'

const M = 60_000
const NOW = 1_800_000_000_000
const [OWN, OTHER] = [1, 2]
/** Pings of a check so many minutes ago. */
const ago = (checkId: number, ...minutes: number[]) => minutes.map(m => ({ checkId, at: NOW - m * M }))

const CASES: [title: string, pings: ReturnType<typeof ago>, expectedMinutes: number | null][] = [
  ['no check ever pinged', [], null],
  ['all checks have been silent since before it was due', ago(OTHER, 8, 9, 10), 8],
  ['its own ping was the last', [...ago(OWN, 7), ...ago(OTHER, 8)], 7],
  ['another check pinged since it was due', ago(OTHER, 4, 8), null],
  ['another check pinged just when it was due', ago(OTHER, 5, 8), null],
  ['it is the only check', ago(OWN, 8, 9, 10), null],
  ['the others have been silent for much longer than it', [...ago(OWN, 8), ...ago(OTHER, 500)], null],
  ['pings are not in the order of their arrival', [...ago(OTHER, 10), ...ago(OTHER, 8)], 8],
]
for (const [title, pings, expected] of CASES) {
  test(`the silence of an alert whose ping was due 5 minutes ago: ${title}`, () => {
    const since = silentSince(pings, OWN, NOW - 5 * M, NOW)
    assert.equal(since, expected === null ? null : NOW - expected * M)
  })
}
