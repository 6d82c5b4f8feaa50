import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Turns } from '../../../src/jobs/dispatch/turns.js'

const channel = (projectId: number, id: number) => ({ id, projectId })
const names = (channels: { id: number; projectId: number }[]) =>
  channels.map(({ projectId, id }) => `${projectId}.${id}`)

test('each project has its turn before any has a second one', () => {
  const turns = new Turns()
  const busy = [1, 2, 3, 4].map(id => channel(1, id))
  assert.deepEqual(names(turns.inOrder([...busy, channel(2, 5), channel(3, 6)])), [
    '1.1',
    '2.5',
    '3.6',
    '1.2',
    '1.3',
    '1.4',
  ])
})

test('the project, and its channel, whose turn is longest ago is next', () => {
  const turns = new Turns()
  const all = [channel(1, 1), channel(1, 2), channel(2, 3)]
  const served: string[] = []
  for (let turn = 0; turn < 8; turn++) {
    const [next] = turns.inOrder(all)
    turns.took(next!)
    served.push(...names([next!]))
  }
  assert.deepEqual(served, ['1.1', '2.3', '1.2', '2.3', '1.1', '2.3', '1.2', '2.3'])
})

test('a new project waits for one turn of each other project', () => {
  const turns = new Turns()
  const busy = Array.from({ length: 300 }, (_, id) => channel(1, id))
  for (const one of turns.inOrder(busy)) turns.took(one)
  assert.equal(names(turns.inOrder([...busy, channel(2, 900)]))[0], '2.900')
})
