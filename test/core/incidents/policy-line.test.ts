/** The line of time on which a policy is shown. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policyLine } from '../../../src/core/incidents/policy-line.js'

const names = {
  check: ['the check’s own integrations'],
  channels: new Map([
    ['p', 'On-call phone'],
    ['m', 'Manager'],
  ]),
}

test('each receiver has a lane with its steps, and all have the repeats', () => {
  const steps = [
    { after: 0, channels: 'check' as const },
    { after: 900, channels: ['p'] },
  ]
  const { lanes, seconds, untilSeconds } = policyLine({ steps, repeat: { every: 3600, times: 2 } }, names)
  assert.deepEqual(lanes, [
    {
      who: 'The check’s own integrations',
      words: 'At once, then every hour, 2 times',
      steps: [0],
      repeats: [4500, 8100],
    },
    {
      who: 'On-call phone',
      words: 'After 15 minutes, then every hour, 2 times',
      steps: [900],
      repeats: [4500, 8100],
    },
  ])
  assert.deepEqual([seconds, untilSeconds], [8100, null])
})

test('receivers that are alerted at the same times share a lane, also with two steps at one time', () => {
  const steps = [
    { after: 60, channels: ['m', 'p'] },
    { after: 60, channels: ['m'] },
    { after: 120, channels: ['p', 'm', 'gone'] },
  ]
  const { lanes, seconds } = policyLine({ steps, repeat: null }, names)
  assert.deepEqual(
    lanes.map(({ who, words }) => `${who}: ${words}`),
    ['Manager, On-call phone: After 1 minute, after 2 minutes'],
  )
  assert.equal(seconds, 120)
})

test('of many repeats three are drawn, and the line says when the last one is', () => {
  const rules = { steps: [{ after: 0, channels: 'check' as const }], repeat: { every: 300, times: 100 } }
  const { lanes, seconds, untilSeconds } = policyLine(rules, names)
  assert.deepEqual(lanes[0]!.repeats, [300, 600, 900])
  assert.deepEqual([seconds, untilSeconds], [900, 30_000])
})

test('a policy whose integrations were deleted has no lane', () => {
  const rules = { steps: [{ after: 0, channels: ['gone'] }], repeat: null }
  assert.deepEqual(policyLine(rules, names), { lanes: [], seconds: 0, untilSeconds: null })
})

test('only the words for the check begin with a capital, and only where the lane begins', () => {
  const channels = new Map([['o', 'the checkers']])
  const together = [
    { after: 0, channels: ['o'] },
    { after: 0, channels: 'check' as const },
  ]
  const { lanes } = policyLine({ steps: together, repeat: null }, { ...names, channels })
  assert.deepEqual(
    lanes.map(({ who }) => who),
    ['the checkers, the check’s own integrations'],
  )
  const [first] = policyLine({ steps: together.toReversed(), repeat: null }, { ...names, channels }).lanes
  assert.equal(first!.who, 'The check’s own integrations, the checkers')
})
