import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventFeed, type FeedDeps } from '../../../src/actions/events/event-feed.js'
import type { RecordedEvent } from '../../../src/core/events/event.js'
import { Changes } from '../../../src/lib/changes.js'
import { eventually } from '../../_support/eventually.js'

test('listeners hear of events while changes come one after another without a pause', async t => {
  let newest = 0
  const store = {
    events: {
      head: async () => ({ newest, begun: null, over: null }),
      between: async () => [{ id: newest, projectId: 1, type: 'check.created' } as RecordedEvent],
    },
  } as unknown as FeedDeps['store']
  const changes = new Changes()
  const feed = new EventFeed({ store, changes, onError: assert.ifError })
  const heard: number[] = []
  const { stop } = await feed.listen({
    projectId: 1,
    hear: events => heard.push(...events.map(({ id }) => id)),
  })
  t.after(stop)
  const changing = setInterval(() => changes.emit('checks', {}), 1)
  t.after(() => clearInterval(changing))
  newest = 1
  await eventually(() => heard.length > 0)
  assert.deepEqual(heard, [1])
})
