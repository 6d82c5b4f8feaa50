import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventFeed, type FeedDeps } from '../../../src/actions/events/event-feed.js'
import type { RecordedEvent } from '../../../src/core/events/event.js'
import { Changes } from '../../../src/lib/changes.js'
import { eventually } from '../../_support/eventually.js'

/** A feed of one event of project 1, once it is recorded. */
function openFeed() {
  let newest = 0
  const store = {
    events: {
      head: async () => ({ newest, begun: null, over: null }),
      between: async () => [{ id: newest, projectId: 1, type: 'check.created' } as RecordedEvent],
    },
  } as unknown as FeedDeps['store']
  const changes = new Changes()
  const feed = new EventFeed({ store, changes, onError: assert.ifError })
  return { feed, changes, record: () => (newest = 1) }
}

test('listeners hear of events while changes come one after another without a pause', async t => {
  const { feed, changes, record } = openFeed()
  const heard: number[] = []
  const { stop } = await feed.listen({
    projectId: 1,
    hear: events => heard.push(...events.map(({ id }) => id)),
  })
  t.after(stop)
  const changing = setInterval(() => changes.emit('checks', {}), 1)
  t.after(() => clearInterval(changing))
  record()
  await eventually(() => heard.length > 0)
  assert.deepEqual(heard, [1])
})

test('other work has its turn between many listeners', async t => {
  const { feed, changes, record } = openFeed()
  let heard = 0
  let heardBefore: number | null = null
  const hear = () => {
    if (++heard === 1) setImmediate(() => (heardBefore = heard))
  }
  for (let count = 0; count < 100; count++) t.after((await feed.listen({ projectId: 1, hear })).stop)
  record()
  changes.emit('checks', {})
  await eventually(() => heard === 100)
  assert.ok(heardBefore !== null && heardBefore < 20, `${heardBefore} of 100 before other work`)
})
