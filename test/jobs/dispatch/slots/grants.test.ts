import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Grants } from '../../../../src/jobs/dispatch/slots/grants.js'
import { LIMITS } from '../../../../src/jobs/dispatch/slots/send-slots.js'
import type { DueChannel } from '../../../../src/storage/alerts/due-channels.js'
import type { ClaimedMessage } from '../../../../src/storage/alerts/messages.js'

/** A channel of each project whose last message was answered at once. */
function channelsOf(...projectIds: number[]): DueChannel[] {
  return projectIds.map(projectId => ({
    id: projectId * 10,
    projectId,
    kind: 'webhook',
    settings: {},
    answeredWithin: 20,
  }))
}

function open() {
  let now = 0
  const grants = new Grants(
    () => {},
    () => now,
  )
  grants.beginPass()
  const ends: ((sent: boolean) => boolean)[] = []
  /** Grants slots to the channels, which have this many messages each, and begins those. Returns how many began, by project. */
  function look(channels: DueChannel[], has: (projectId: number) => number = () => 100): Map<number, number> {
    grants.beginLook()
    grants.found(channels, channels)
    const began = new Map<number, number>()
    const wanted = grants.grant(channels)
    const messages = wanted.flatMap(({ channel, messages: most }) => {
      const number = Math.min(most, has(channel.projectId))
      began.set(channel.projectId, number)
      return Array.from(
        { length: number },
        () => ({ channel, alertClass: 'down' }) as unknown as ClaimedMessage,
      )
    })
    for (const message of messages) ends.push(grants.begin(message, () => {}).end)
    isAgain = grants.took(
      wanted.map(({ channel }) => channel),
      messages,
      0,
    )
    return began
  }
  let isAgain = false
  const wait = (ms: number) => {
    now += ms
  }
  return { look, ends, wait, isAgain: () => isAgain }
}

const FIRST_TEN = Array.from({ length: 10 }, (_, index) => index + 1)

test('projects that wait at the same time share the slots equally', () => {
  const { look } = open()
  const began = look(channelsOf(...FIRST_TEN))
  assert.deepEqual([...began.keys()], FIRST_TEN)
  assert.deepEqual(new Set(began.values()), new Set([4, 5]))
})

test('the next free slot goes to a project that has no message under way', () => {
  const { look, ends } = open()
  look(channelsOf(...FIRST_TEN))
  for (const end of ends.slice(0, 2)) end(true)
  const began = look(channelsOf(...FIRST_TEN, 11))
  assert.deepEqual([...began], [[11, 2]])
})

test('a project that waits alone gets as many slots as one project may have', () => {
  const { look } = open()
  assert.equal(look(channelsOf(1)).get(1), LIMITS.promptPerProject)
})

test('slots that a project does not use go to the others', () => {
  const { look, isAgain } = open()
  const has = (projectId: number) => (projectId === 1 ? 100 : 0)
  const channels = channelsOf(...FIRST_TEN)
  const first = look(channels, has).get(1)!
  assert.ok(isAgain())
  assert.equal(first + look(channels, has).get(1)!, LIMITS.promptPerProject)
  assert.ok(!isAgain())
})

test('a project that had nothing a moment ago has its share again while the same pass goes on', () => {
  const { look, ends, wait } = open()
  const both = channelsOf(1, 2)
  look(both, projectId => (projectId === 1 ? 100 : 0))
  for (const end of ends.splice(0)) end(true)
  assert.equal(look(both).get(2), 1, 'no slots are kept for it')
  for (const end of ends.splice(0)) end(true)
  wait(300)
  assert.ok(look(both).get(2)! > 10)
})
