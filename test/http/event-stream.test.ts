import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventFeed } from '../../src/actions/events/event-feed.js'
import type { RecordedEvent } from '../../src/core/events/event.js'
import { openEventStream, type StreamDeps } from '../../src/http/native/events/event-stream.js'
import { Changes } from '../../src/lib/changes.js'

test('a reader that reads nothing is ended once it is far behind, and nothing is kept for it', async () => {
  let hear: (events: readonly RecordedEvent[]) => void = () => {}
  let isHeard = true
  let ended = 0
  const events = {
    listen: async (listener: { hear: typeof hear }) => {
      hear = listener.hear
      return { from: 0, stop: () => (isHeard = false) }
    },
  } as unknown as EventFeed
  const store = { events: { between: async () => [] } } as unknown as StreamDeps['store']
  const deps: StreamDeps = { store, events, changes: new Changes(), onError: assert.fail }
  const stream = await openEventStream(deps, {
    projectId: 1,
    types: [],
    after: null,
    show: ({ id }) => JSON.stringify({ id }),
    isStillAllowed: async () => true,
    onEnd: () => ended++,
  })
  const event = { projectId: 1, type: 'check.down' } as RecordedEvent
  for (let id = 1; id <= 1_001 && isHeard; id++) hear([{ ...event, id }])
  assert.equal(isHeard, false)
  assert.equal(ended, 1)
  const reader = stream.getReader()
  const readAll = async () => {
    while (!(await reader.read()).done);
  }
  await assert.rejects(readAll, { message: 'the reader is too slow' })
})
