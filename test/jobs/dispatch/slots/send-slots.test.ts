import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { LIMITS, SendSlots, type Slot } from '../../../../src/jobs/dispatch/slots/send-slots.js'

/** Slots on a clock of the test's own. */
function open(t: TestContext, limits: Partial<typeof LIMITS> = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const cut: string[] = []
  const slots = new SendSlots(
    () => now,
    () => {},
    { ...LIMITS, ...limits },
  )
  const about = (projectId: number, channelId: number) => ({
    projectId,
    channelId,
    alertClass: 'down' as const,
  })
  return {
    slots,
    cut,
    pass(ms: number) {
      now += ms
      t.mock.timers.tick(ms)
    },
    begin: (projectId: number, channelId: number): Slot =>
      slots.begin(about(projectId, channelId), tookMs =>
        cut.push(`${projectId}.${channelId} after ${tookMs}`),
      ),
    room: (projectId: number, channelId: number) =>
      slots.budget([{ projectId, channelId }])({ projectId, channelId }),
  }
}

test('a channel starts with five messages at once, and has 32 after an answer', t => {
  const { slots, begin, room } = open(t)
  const running = [1, 2, 3, 4, 5].map(() => begin(1, 1))
  assert.equal(room(1, 1), 0)
  slots.end(running[0]!, true)
  assert.equal(room(1, 1), 32 - 4)
})

test('after a restart, a channel’s standing follows its last message', t => {
  const { slots, begin } = open(t)
  slots.recall(1, 120)
  slots.recall(2, 700)
  slots.recall(3, null)
  assert.deepEqual(
    [1, 2, 3].map(id => slots.standingOf(id)),
    ['prompt', 'late', 'unknown'],
  )
  slots.end(begin(1, 1), false)
  slots.recall(1, 700)
  assert.equal(slots.standingOf(1), 'prompt', 'what this process has learned counts')
})

test('a channel that timed out gets one message at a time, until one is answered', t => {
  const { slots, begin, room, pass } = open(t)
  const first = begin(1, 1)
  pass(30_000)
  slots.end(first, false)
  assert.equal(room(1, 1), 1)
  const probe = begin(1, 1)
  assert.equal(room(1, 1), 0)
  slots.end(probe, true)
  assert.equal(room(1, 1), 32)
})

test('a prompt failure is an answer, so the channel keeps its standing', t => {
  const { slots, begin, room } = open(t)
  slots.end(begin(1, 1), false)
  assert.equal(room(1, 1), 5)
})

test('no project exceeds its share of the prompt slots, nor all projects the total', t => {
  const { slots } = open(t)
  const channelsOf = (projectId: number) =>
    Array.from({ length: 30 }, (_, index) => ({ projectId, channelId: projectId * 100 + index }))
  /** The numbers of messages of projects that wait at the same time. */
  const granted = (...projectIds: number[]) => {
    const budget = slots.budget(projectIds.flatMap(channelsOf))
    return projectIds.map(id => channelsOf(id).reduce((total, channel) => total + budget(channel), 0))
  }
  assert.deepEqual(granted(1), [LIMITS.promptPerProject])
  assert.deepEqual(granted(1, 2, 3), [19, 19, 18])
  assert.equal(19 + 19 + 18, LIMITS.prompt.unknown)
})

test('channels that answer have their own slots, apart from those that never did', t => {
  const { slots, begin, room, pass } = open(t, { prompt: { prompt: 3, late: 2, unknown: 1 } })
  slots.end(begin(1, 1), true)
  const late = begin(2, 2)
  pass(2_000)
  slots.end(late, true)
  begin(3, 3)
  assert.equal(room(4, 4), 0)
  assert.equal(room(1, 1), 3, 'it answered promptly')
  assert.equal(room(2, 2), 2, 'it answered late')
})

test('a channel that stops answering promptly gets no more prompt slots', t => {
  const { slots, begin, room, pass } = open(t, { prompt: { prompt: 3, late: 2, unknown: 1 } })
  slots.end(begin(1, 1), true)
  begin(1, 1)
  assert.equal(room(1, 1), 2)
  pass(LIMITS.slowAfterMs)
  assert.equal(slots.standingOf(1), 'late')
  assert.equal(room(1, 1), 2)
})

test('a slow message frees its prompt slot', t => {
  const { begin, room, pass } = open(t, { prompt: { prompt: 2, late: 2, unknown: 2 } })
  begin(1, 1)
  begin(1, 2)
  assert.equal(room(2, 3), 0)
  pass(LIMITS.slowAfterMs)
  assert.equal(room(2, 3), 2)
})

test('if too many are slow, the longest of the project with the most is aborted', t => {
  const { begin, cut, pass, room } = open(t, { slow: 3 })
  begin(1, 1)
  pass(100)
  begin(2, 5)
  begin(2, 6)
  begin(2, 7)
  pass(LIMITS.slowAfterMs)
  assert.deepEqual(cut, ['2.5 after 500'])
  assert.equal(room(2, 5), 1, 'it counts as timed out')
  pass(60_000)
  assert.deepEqual(cut.length, 1, 'the others may take as long as they need')
})

test('of the project with the most, messages to channels that answer are aborted last', t => {
  const { slots, begin, cut, pass } = open(t, { slow: 4 })
  slots.recall(1, 2_000)
  begin(1, 1)
  begin(1, 2)
  pass(100)
  begin(1, 1)
  begin(1, 1)
  begin(2, 3)
  pass(LIMITS.slowAfterMs)
  assert.deepEqual(cut, ['1.2 after 600'])
  assert.equal(slots.standingOf(2), 'timedOut')
})

test('a project with few slow messages loses none to one with many, even if those are answered', t => {
  const { slots, begin, cut, pass } = open(t, { slow: 5 })
  const first = begin(1, 1)
  pass(2_000)
  slots.end(first, true)
  begin(2, 2)
  pass(100)
  for (let index = 0; index < 5; index++) begin(1, 1)
  pass(LIMITS.slowAfterMs)
  assert.deepEqual(cut, ['1.1 after 500'])
})

test('a channel whose message would probably have been answered keeps its standing when it is aborted', t => {
  const { slots, begin, cut, pass } = open(t, { slow: 2 })
  slots.recall(1, 2_000)
  for (let index = 0; index < 3; index++) begin(1, 1)
  pass(LIMITS.slowAfterMs)
  assert.deepEqual(cut, ['1.1 after 500'])
  assert.equal(slots.standingOf(1), 'late')
})

test('a project begins only so many messages that are answered late that another can have half as many', t => {
  const { slots, begin, room, pass } = open(t, { slow: 15 })
  for (const id of [1, 2]) slots.recall(id, 2_000)
  for (let index = 0; index < 10; index++) begin(1, 1)
  assert.equal(room(1, 1), 0, 'those that are not slow yet count')
  pass(LIMITS.slowAfterMs)
  assert.equal(room(1, 1), 0)
  assert.equal(room(1, 3), 5, 'a channel that never answered')
  for (let index = 0; index < 5; index++) begin(2, 2)
  assert.equal(room(2, 2), 1, 'two have six each')
})

test('messages that hang use up no share of those that are answered late', t => {
  const { slots, begin, room, pass } = open(t, { slow: 15 })
  slots.recall(1, 2_000)
  for (let channelId = 2; channelId < 10; channelId++) begin(1, channelId)
  for (let index = 0; index < 4; index++) begin(1, 1)
  pass(LIMITS.slowAfterMs)
  assert.equal(room(1, 1), 6)
  pass(LIMITS.timeOutMs)
  assert.equal(room(1, 1), 10, 'the others have taken five seconds')
})

test('a project that has its share of slow messages leaves the prompt slots to others', t => {
  const { slots, begin, pass } = open(t, { slow: 15, prompt: { ...LIMITS.prompt, late: 10 } })
  for (const id of [1, 2]) slots.recall(id, 2_000)
  for (let index = 0; index < 10; index++) begin(1, 1)
  pass(LIMITS.slowAfterMs)
  const other = { projectId: 2, channelId: 2 }
  assert.equal(slots.budget([{ projectId: 1, channelId: 1 }, other])(other), 10)
})

test('if all slow channels answer, the message nearest to its answer is not aborted', t => {
  const { slots, begin, cut, pass } = open(t, { slow: 2 })
  for (const id of [1, 2, 3]) {
    const first = begin(id, id)
    pass(2_000)
    slots.end(first, true)
  }
  for (const id of [1, 2, 3]) {
    begin(id, id)
    pass(100)
  }
  pass(400)
  assert.deepEqual(cut, ['3.3 after 500'])
})

test('a channel that hangs for five seconds is aborted like those that never answered', t => {
  const { slots, begin, cut, pass } = open(t, { slow: 2 })
  for (const id of [1, 2]) slots.end(begin(1, id), true)
  begin(1, 1)
  pass(LIMITS.timeOutMs - 100)
  begin(1, 2)
  begin(1, 2)
  pass(LIMITS.slowAfterMs)
  assert.deepEqual(cut, ['1.1 after 5400'])
})

test('one project gets a quarter of the slots for channels that timed out', t => {
  const { slots, begin, pass, room } = open(t)
  for (let channelId = 1; channelId <= 60; channelId++) {
    const slot = begin(channelId === 60 ? 2 : 1, channelId)
    pass(10_000)
    slots.end(slot, false)
  }
  for (let channelId = 1; channelId <= 48; channelId++) begin(1, channelId)
  assert.equal(room(1, 49), 0)
  assert.equal(room(2, 60), 1)
})

test('messages to channels that timed out take no prompt slot, and are limited too', t => {
  const { slots, begin, pass, room } = open(t, { prompt: { prompt: 2, late: 2, unknown: 2 }, probes: 2 })
  for (const channelId of [1, 2, 3]) {
    const slot = begin(1, channelId)
    pass(10_000)
    slots.end(slot, false)
  }
  begin(1, 1)
  begin(1, 2)
  assert.equal(room(1, 3), 0, 'no more probes at once')
  assert.equal(room(2, 9), 2, 'others have all prompt slots')
})

test('a project that was not known to wait has all its slots where no other waits, and else one', t => {
  const { slots } = open(t)
  slots.recall(1, 120)
  slots.recall(2, 120)
  const asked = { projectId: 1, channelId: 1 }
  assert.equal(slots.budget([])(asked), 32)
  assert.equal(slots.budget([{ projectId: 2, channelId: 2 }])(asked), 1)
})
