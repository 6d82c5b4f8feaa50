import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EventFeed } from '../../src/actions/events/event-feed.js'
import type { RecordedEvent } from '../../src/core/events/event.js'
import { openEventStream, type StreamDeps } from '../../src/http/native/events/event-stream.js'
import { Changes } from '../../src/lib/changes.js'

type Replay = StreamDeps['store']['events']['replay']

test('a reader that reads nothing is ended once it is far behind, and nothing is kept for it', async () => {
  let hear: (events: readonly RecordedEvent[]) => void = () => {}
  let isHeard = true
  let ended = 0
  let disconnected = 0
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
    disconnect: () => disconnected++,
    onEnd: () => ended++,
  })
  const event = { projectId: 1, type: 'check.down' } as RecordedEvent
  for (let id = 1; id <= 1_001 && isHeard; id++) hear([{ ...event, id }])
  assert.equal(isHeard, false)
  assert.deepEqual([ended, disconnected], [1, 1])
  const reader = stream.getReader()
  while (!(await reader.read()).done);
})

test('past events are read for one stream at a time, and others run between two pages', async () => {
  const stored = Array.from({ length: 450 }, (_, n) => ({ id: n + 1, type: 'check.down' }) as RecordedEvent)
  let reading = 0
  let most = 0
  let pages = 0
  const replay = async (_: number, { after, upTo, limit }: Parameters<Replay>[1]) => {
    most = Math.max(most, ++reading)
    pages++
    await new Promise(resolve => setTimeout(resolve, 1))
    reading--
    const found = stored.filter(({ id }) => id > after && id <= upTo).slice(0, limit)
    return { events: found, readTo: found.length < limit ? upTo : found.at(-1)!.id }
  }
  const events = {
    listen: async () => ({ from: stored.length, stop() {} }),
  } as unknown as EventFeed
  const store = { events: { between: async () => [], replay } } as unknown as StreamDeps['store']
  const changes = new Changes()
  const deps: StreamDeps = { store, events, changes, onError: assert.fail }
  const texts = await Promise.all(
    [1, 1, 1, 2].map(async projectId => {
      const stream = await openEventStream(deps, {
        projectId,
        types: [],
        after: 0,
        show: ({ id }) => JSON.stringify({ id }),
        isStillAllowed: async () => true,
        disconnect() {},
        onEnd() {},
      })
      let text = ''
      for await (const piece of stream) {
        text += new TextDecoder().decode(piece)
        if (text.includes(': alive')) break
      }
      return text
    }),
  )
  for (const text of texts) {
    assert.deepEqual(
      [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id)),
      stored.map(({ id }) => id),
    )
  }
  assert.deepEqual([most, pages], [1, 12])
})

test('past events of which none is asked for are read piece by piece, until the reader leaves', async () => {
  const asked: number[] = []
  let leave = () => {}
  const replay = async (_: number, { after }: Parameters<Replay>[1]) => {
    asked.push(after)
    if (asked.length === 3) leave()
    return { events: [], readTo: after + 20_000 }
  }
  const events = { listen: async () => ({ from: 300_000, stop() {} }) } as unknown as EventFeed
  const store = { events: { between: async () => [], replay } } as unknown as StreamDeps['store']
  let ended = 0
  const stream = await openEventStream(
    { store, events, changes: new Changes(), onError: assert.fail },
    {
      projectId: 1,
      types: ['silence.created'],
      after: 0,
      show: () => '',
      isStillAllowed: async () => true,
      disconnect() {},
      onEnd: () => ended++,
    },
  )
  const reader = stream.getReader()
  leave = () => void reader.cancel()
  while (!(await reader.read()).done);
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  assert.deepEqual([asked, ended], [[0, 20_000, 40_000], 1])
})

test('a quiet stream ends within five seconds after its reader may not read any more', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  t.mock.method(performance, 'now', () => now)
  let mayRead = true
  const stream = await openEventStream(quiet(), {
    projectId: 1,
    types: [],
    after: null,
    show: () => '',
    isStillAllowed: async () => mayRead,
    disconnect() {},
    onEnd() {},
  })
  let text = ''
  const read = (async () => {
    for await (const piece of stream) text += new TextDecoder().decode(piece)
  })()
  let isOver = false
  void read.then(() => (isOver = true))
  const pass = async (seconds: number) => {
    for (const until = now + seconds * 1_000; now < until; ) {
      now += 500
      t.mock.timers.tick(500)
      await nextTurn()
    }
  }
  await nextTurn()
  await pass(63)
  // At the beginning, and every 15 seconds.
  assert.equal(text.match(/: alive/g)?.length, 5)
  mayRead = false
  await pass(5)
  assert.equal(isOver, true)
  assert.equal(text.match(/: alive/g)?.length, 5)
})

function quiet(): StreamDeps {
  const events = { listen: async () => ({ from: 0, stop() {} }) } as unknown as EventFeed
  const store = { events: { between: async () => [] } } as unknown as StreamDeps['store']
  return { store, events, changes: new Changes(), onError: assert.fail }
}
