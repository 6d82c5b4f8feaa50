/** The form of a policy, as texts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Policy } from '../../../src/core/incidents/policy.js'
import {
  formOfPolicy,
  NEW_POLICY_FORM,
  readPolicyForm,
  sentPolicyForm,
  withoutStep,
  withStep,
} from '../../../src/core/incidents/policy-form.js'

const policy: Policy & { isDefault: boolean } = {
  id: 1,
  name: 'On call',
  isDefault: true,
  steps: [
    { after: 0, channels: 'check' },
    { after: 5400, channels: ['a', 'b'] },
  ],
  repeat: { every: 3600, times: 5 },
}

const sent = (fields: Record<string, string | string[]>) =>
  sentPolicyForm(name => (Object.hasOwn(fields, name) ? [fields[name]!].flat() : []))

const typed = {
  name: ' On\tcall ',
  default: 'true',
  'after-0': 'at ONCE',
  'who-0': 'check',
  'channel-0': 'ignored',
  'after-1': '1.5 h',
  'who-1': 'named',
  'channel-1': ['a', 'b'],
  repeats: 'true',
  every: '60 min',
  times: ' 5 ',
}

test('a policy in its form is read as the same policy', () => {
  const { id, ...asked } = policy
  assert.deepEqual(readPolicyForm(formOfPolicy(policy)), { asked })
  const silent = { ...policy, repeat: null, isDefault: false }
  assert.deepEqual(readPolicyForm(formOfPolicy(silent)), {
    asked: { ...asked, repeat: null, isDefault: false },
  })
})

test('what is typed is read as a policy', () => {
  const { id, ...asked } = policy
  assert.deepEqual(readPolicyForm(sent(typed)), { asked })
  const { repeats, default: byDefault, ...less } = typed
  assert.deepEqual(readPolicyForm(sent({ ...less, every: 'x', times: '' })), {
    asked: { ...asked, isDefault: false, repeat: null },
  })
})

const WRONG: [string, Record<string, string | string[]>, Record<string, RegExp>][] = [
  ['no name', { name: ' ' }, { name: /Enter a name/ }],
  ['a long name', { name: 'x'.repeat(101) }, { name: /At most 100 characters/ }],
  ['an empty time', { 'after-1': '' }, { 'after-1': /Enter “at once”/ }],
  ['a time without a unit', { 'after-1': '15' }, { 'after-1': /such as 15 min/ }],
  ['a late step', { 'after-1': '8 days' }, { 'after-1': /within 1 week/ }],
  ['steps out of order', { 'after-0': '2 h' }, { 'after-1': /cannot come before/ }],
  ['a step for nobody', { 'channel-1': [] }, { 'channel-1': /Choose the integrations/ }],
  ['frequent repeats', { every: '1 min', times: '1000' }, { every: /5 minutes to/, times: /1 to 100/ }],
  ['unreadable repeats', { every: 'often', times: 'x' }, { every: /such as 1 hour/, times: /1 to 100/ }],
]

for (const [what, changes, expected] of WRONG) {
  test(`${what} in the form of a policy: an error at the field`, () => {
    const read = readPolicyForm(sent({ ...typed, ...changes }))
    assert.ok('errors' in read)
    assert.deepEqual(Object.keys(read.errors).sort(), Object.keys(expected).sort())
    for (const [field, words] of Object.entries(expected)) assert.match(read.errors[field]!, words)
  })
}

test('a form without steps has an error, and one with too many keeps ten', () => {
  assert.deepEqual(readPolicyForm(sent({ name: 'x' })), {
    errors: { steps: 'A policy has at least one step.' },
  })
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`after-${n}`, `${n} min`]))
  assert.equal(sent({ name: 'x', ...many }).steps.length, 10)
})

test('steps are added up to ten, and removed down to one', () => {
  let form = NEW_POLICY_FORM
  for (let n = 0; n < 20; n++) form = withStep(form)
  assert.equal(form.steps.length, 10)
  for (let n = 0; n < 20; n++) form = withoutStep(form, 0)
  assert.equal(form.steps.length, 1)
  assert.equal(withoutStep(sent(typed), 0).steps[0]!.after, '1.5 h')
})
