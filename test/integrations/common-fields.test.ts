import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hourlyLimitOf, withCommonFields } from '../../src/integrations/common-fields.js'
import { checkSettings } from '../../src/integrations/fields.js'
import { integrations } from '../../src/integrations/index.js'
import type { Integration } from '../../src/integrations/integration.js'
import { email } from '../../src/integrations/kinds/email.js'
import { group } from '../../src/integrations/kinds/group.js'
import { webhook } from '../../src/integrations/kinds/webhook/webhook.js'
import { hasMembers } from '../../src/integrations/members.js'

const plain: Integration = {
  kind: 'plain',
  label: 'Plain',
  category: 'anything',
  help: 'A kind that declares no choice.',
  logo: '',
  fields: [{ name: 'room', label: 'Room', type: 'text' }],
  describe: () => 'plain',
  async send() {},
}

const namesOf = ({ fields }: Integration) => fields.map(({ name }) => name)

test('a kind without its own choice sends down alerts, up alerts, or both', () => {
  const kind = withCommonFields(plain)
  const wants = (given: Record<string, string>) =>
    (['down', 'up'] as const).filter(status => kind.wants!(checkSettings(kind, given), status))
  assert.deepEqual(wants({}), ['down', 'up'])
  assert.deepEqual(wants({ tell: 'down only' }), ['down'])
  assert.deepEqual(wants({ tell: 'up only' }), ['up'])
  assert.equal(kind.wants!({}, 'down') && kind.wants!({}, 'up'), true, 'so does a channel from before')
  assert.throws(() => checkSettings(kind, { tell: 'nothing' }), { field: 'tell' })
})

test('kinds with their own choice, and groups, get no choice of directions', () => {
  for (const kind of [webhook, group]) assert.deepEqual(namesOf(withCommonFields(kind)), namesOf(kind))
})

test('a kind that combines alerts has an hourly limit', () => {
  const kind = withCommonFields(email)
  const limit = (hourly_limit?: string) =>
    hourlyLimitOf(checkSettings(kind, { value: 'a@example.org', ...(hourly_limit ? { hourly_limit } : {}) }))
  assert.equal(limit(), 30)
  assert.equal(limit('0'), 0)
  assert.equal(limit('7'), 7)
  assert.equal(hourlyLimitOf({ value: 'a@example.org' }), 30, 'a channel from before has the default')
  assert.throws(() => limit('-1'), { message: 'Enter 0 or more.', field: 'hourly_limit' })
})

test('every kind that combines alerts has a limit, and every other a choice of directions', () => {
  for (const integration of integrations) {
    const { kind, groups, notify, wants } = integration
    if (groups) assert.equal(typeof notify, 'function', kind)
    if (!hasMembers(integration)) assert.equal(typeof wants, 'function', kind)
  }
})
