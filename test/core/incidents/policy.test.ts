import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PolicyRules, policyProblems } from '../../../src/core/incidents/policy.js'
import { appliedWords, policySentence } from '../../../src/core/incidents/policy-words.js'

const MINUTE = 60
const HOUR = 3_600
const names = {
  check: ['Ops chat'],
  channels: new Map([
    ['p', 'On-call phone'],
    ['m', 'Manager'],
  ]),
}

const sentences: [PolicyRules, string][] = [
  [{ steps: [{ after: 0, channels: 'check' }], repeat: null }, 'At once: Ops chat.'],
  [
    {
      steps: [
        { after: 0, channels: 'check' },
        { after: 15 * MINUTE, channels: ['p'] },
      ],
      repeat: { every: HOUR, times: 5 },
    },
    'At once: Ops chat. After 15 minutes, if nobody has acknowledged: On-call phone. Then all of them every hour, 5 times.',
  ],
  [
    { steps: [{ after: 0, channels: 'check' }], repeat: { every: 2 * HOUR, times: 3 } },
    'At once: Ops chat. Then every 2 hours, 3 times.',
  ],
  [
    { steps: [{ after: 300, channels: ['p', 'm'] }], repeat: { every: 300, times: 1 } },
    'After 5 minutes, if nobody has acknowledged: On-call phone, Manager. Then once more after 5 minutes.',
  ],
  [
    {
      steps: [
        { after: 0, channels: 'check' },
        { after: 0, channels: ['m'] },
        { after: 60, channels: ['gone'] },
      ],
      repeat: null,
    },
    'At once: Ops chat, Manager. After 1 minute, if nobody has acknowledged: nobody.',
  ],
]

test('a policy for the integrations of a check that has none alerts nobody at once', () => {
  const policy = sentences[1]![0]
  assert.match(policySentence(policy, { ...names, check: [] }), /^At once: nobody\. After 15 minutes/)
})

test('a policy that alerts nobody about a check says why', () => {
  const [plain, steps] = sentences.map(([policy]) => policy) as [PolicyRules, PolicyRules]
  assert.match(appliedWords(plain, { ...names, check: [] }), /this one has none, so nobody is alerted/)
  assert.match(appliedWords(steps, { ...names, check: [] }), /^At once: nobody\. After 15 minutes/)
  const gone = { steps: [{ after: 0, channels: ['gone'] }], repeat: null }
  assert.equal(appliedWords(gone, names), 'Its integrations were deleted, so nobody is alerted.')
})

for (const [policy, sentence] of sentences) {
  test(`a policy in words: ${sentence.slice(0, 60)}`, () => {
    assert.equal(policySentence(policy, names), sentence)
  })
}

const refused: [string, PolicyRules, string[]][] = [
  ['without a step', { steps: [], repeat: null }, ['steps']],
  ['with eleven steps', { steps: Array(11).fill({ after: 0, channels: 'check' }), repeat: null }, ['steps']],
  [
    'whose steps are not in order',
    {
      steps: [
        { after: 60, channels: 'check' },
        { after: 59, channels: ['p'] },
      ],
      repeat: null,
    },
    ['steps/1/after'],
  ],
  [
    'with a step after 7 days',
    { steps: [{ after: 604_801, channels: 'check' }], repeat: null },
    ['steps/0/after'],
  ],
  ['with a step for nobody', { steps: [{ after: 0, channels: [] }], repeat: null }, ['steps/0/channels']],
  [
    'with repeats that are too many and too soon',
    { steps: [{ after: 0, channels: 'check' }], repeat: { every: 299, times: 101 } },
    ['repeat/every', 'repeat/times'],
  ],
]

for (const [name, policy, places] of refused) {
  test(`a policy ${name} is refused`, () => {
    assert.deepEqual(
      policyProblems(policy).map(({ at }) => at),
      places,
    )
  })
}

test('steps up to 7 days and repeats at the limits are accepted', () => {
  const steps = [
    { after: 0, channels: 'check' as const },
    { after: 604_800, channels: ['p'] },
  ]
  for (const repeat of [null, { every: 300, times: 100 }, { every: 604_800, times: 1 }]) {
    assert.deepEqual(policyProblems({ steps, repeat }), [])
  }
})
