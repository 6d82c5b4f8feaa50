import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WaitingChannels } from '../../../src/jobs/dispatch/waiting-channels.js'

const channel = (projectId: number, id: number) => ({ id, projectId })
const ids = (waiting: WaitingChannels) => waiting.all().map(({ id }) => id)

test('a channel is remembered once, until it has nothing due', () => {
  const waiting = new WaitingChannels()
  for (const id of [1, 2, 1]) waiting.add(channel(1, id))
  assert.deepEqual(ids(waiting), [2, 1])
  waiting.delete(channel(1, 2))
  waiting.delete(channel(2, 1))
  assert.deepEqual(ids(waiting), [1])
})

test('a project with many waiting channels displaces no other project’s', () => {
  const waiting = new WaitingChannels({ projects: 2, channelsPerProject: 3 })
  waiting.add(channel(1, 1))
  for (let id = 2; id <= 1_000; id++) waiting.add(channel(2, id))
  assert.deepEqual(ids(waiting), [1, 998, 999, 1_000])
})
