import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { group } from '../../../src/integrations/kinds/group.js'
import { aDestination, anAlert, testWays } from '../../_support/alert.js'

const FIRST = '0f6b2b1e-6d0c-4d6a-9d0a-4f2f7c3b1a55'
const SECOND = '1f6b2b1e-6d0c-4d6a-9d0a-4f2f7c3b1a55'

test('a group is described by its number of channels', () => {
  const describe = (members: string) => group.describe(checkSettings(group, { members }))
  assert.equal(describe(FIRST), '1 channel')
  assert.equal(describe(`${FIRST}, ${SECOND}, ${FIRST}`), '2 channels')
})

test('a group needs members', () => {
  assert.throws(() => checkSettings(group, {}), { message: 'This field is required.', field: 'members' })
})

test('a group without members fails, but not permanently', async () => {
  const sending = group.send(anAlert(), aDestination(group, { members: FIRST }), testWays())
  await assert.rejects(sending, { name: 'DeliveryError', message: 'The group has no members', options: {} })
})
