import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advanced, type FeedHead, NO_WATERMARK } from '../../../src/core/events/watermark.js'

const afterAll = (...heads: FeedHead[]) => heads.reduce(advanced, NO_WATERMARK)
const ordered = (newest: number): FeedHead => ({ newest, begun: null, over: null })

const cases: [string, FeedHead[], number][] = [
  ['where writes are in order, everything is final at once', [ordered(7)], 7],
  ['nothing is final before the transactions under way are over', [{ newest: 7, begun: 100, over: 95 }], 0],
  [
    'all of it is final when they are over',
    [
      { newest: 7, begun: 100, over: 95 },
      { newest: 7, begun: 101, over: 100 },
    ],
    7,
  ],
  [
    'what came in the meantime is not final with it',
    [
      { newest: 7, begun: 100, over: 95 },
      { newest: 9, begun: 110, over: 104 },
    ],
    7,
  ],
  [
    'what came in the meantime waits for its own transaction',
    [
      { newest: 7, begun: 100, over: 95 },
      { newest: 9, begun: 110, over: 104 },
      { newest: 12, begun: 120, over: 110 },
    ],
    9,
  ],
  [
    'newer events do not put off those that wait',
    [
      { newest: 7, begun: 100, over: 95 },
      { newest: 8, begun: 101, over: 95 },
      { newest: 9, begun: 102, over: 100 },
    ],
    7,
  ],
  ['it never goes back', [ordered(7), ordered(3)], 7],
]

for (const [name, heads, final] of cases) {
  test(name, () => assert.equal(afterAll(...heads).final, final))
}
