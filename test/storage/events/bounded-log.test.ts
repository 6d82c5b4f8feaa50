/** How much of the log of events one page looks at. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANY_EVENT, type EventFilter } from '../../../src/storage/events/event-log.js'
import { openFreshStore } from '../../_support/worlds/store.js'

test('a page of the log looks at 20,000 events, and says where the next one begins', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const { id } = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  await raw('DELETE FROM events')
  const add = async (count: number, type: string, object: string, actor: string) => {
    await raw(`INSERT INTO events (project_id, created_at, type, object_id, object_name, actor)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
      SELECT ${id}, 1, '${type}', '${object}', '', ${actor} FROM n`)
  }
  const person = `'{"kind":"person","id":"a","name":"Alice","address":null}'`
  await add(2, 'silence.created', 'old', person)
  await add(20_005, 'check.updated', 'other', person)
  await add(3, 'check.down', 'other', 'NULL')
  const log = async (filter: Partial<EventFilter>, before: number | null = null, limit = 1) => {
    const page = await store.events.log(id, { ...ANY_EVENT, ...filter }, { before, limit })
    return { ids: page.events.map(({ object, type }) => `${type} ${object.id}`), next: page.next }
  }
  const silences = { kind: 'silence' }
  const first = await log(silences)
  assert.deepEqual(first.ids, [])
  const second = await log(silences, first.next)
  assert.deepEqual(second.ids, ['silence.created old'])
  const third = await log(silences, second.next)
  assert.deepEqual(third, { ids: ['silence.created old'], next: null })
  // What an index finds does not count what lies between.
  assert.deepEqual(await log({ object: 'old' }, null, 2), {
    ids: ['silence.created old', 'silence.created old'],
    next: null,
  })
  assert.deepEqual((await log({ object: 'other', kind: 'silence' })).ids, [])
  const byPunctual = await log({ actor: 'punctual' }, null, 5)
  assert.equal(byPunctual.ids.length, 3)
  assert.deepEqual(await log({ actor: 'punctual' }, byPunctual.next, 5), { ids: [], next: null })
  const people = await log({ actor: 'others' }, null, 2)
  assert.deepEqual(people.ids, ['check.updated other', 'check.updated other'])
})
