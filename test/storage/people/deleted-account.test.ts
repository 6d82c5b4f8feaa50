/** A request may be under way, by a token that another process still knows, when its account is deleted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestStore } from '../../_support/worlds/store.js'

const NOBODY = 4_711
const REFUSED = { code: 'unauthorized', message: 'this account was deleted' }

test('what the person of a deleted account has set is refused', async t => {
  const store = await openTestStore(t)
  await assert.rejects(store.people.preferences(NOBODY), REFUSED)
  await assert.rejects(store.reports.wishes(NOBODY), REFUSED)
})
