/** How many past events one read of a stream looks at. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventType } from '../../../src/core/events/event-types.js'
import { openFreshStore } from '../../_support/worlds/store.js'

test('a read of past events looks at 20,000 of the project, and says how far it came', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const { id } = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const other = await store.projects.create({ name: 'Bob', ownerId: null, pingKey: 'bob', now: 1 })
  await raw('DELETE FROM events')
  const add = async (count: number, type: EventType, projectId = id) => {
    await raw(`INSERT INTO events (project_id, created_at, type, object_id, object_name)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
      SELECT ${projectId}, 1, '${type}', 'a', '' FROM n`)
  }
  await add(10_000, 'check.updated')
  await add(50, 'silence.created', other.id)
  await add(10_002, 'check.updated')
  await add(3, 'silence.created')
  const ids = (await store.events.between([id], { after: 0, upTo: 1e9, limit: 1e6, types: [] })).map(
    event => event.id,
  )
  const read = async (after: number, types: EventType[], { upTo = 1e9, limit = 2 } = {}) => {
    const page = await store.events.replay(id, { after, upTo, limit, types })
    return { ids: page.events.map(event => event.id), readTo: page.readTo }
  }
  assert.deepEqual(await read(0, ['silence.created']), { ids: [], readTo: ids[19_999] })
  assert.deepEqual(await read(ids[19_999]!, ['silence.created']), {
    ids: ids.slice(20_002, 20_004),
    readTo: ids[20_003],
  })
  assert.deepEqual(await read(ids[20_003]!, ['silence.created']), { ids: ids.slice(20_004), readTo: 1e9 })
  // One that ends in the middle of what may be looked at.
  assert.deepEqual(await read(0, ['silence.created'], { upTo: ids[5]! }), { ids: [], readTo: ids[5] })
  assert.deepEqual(await read(0, []), { ids: ids.slice(0, 2), readTo: ids[1] })
  assert.deepEqual(await read(ids[20_002]!, []), { ids: ids.slice(20_003), readTo: ids[20_004] })
  assert.deepEqual(await read(ids[20_004]!, []), { ids: [], readTo: 1e9 })
})
