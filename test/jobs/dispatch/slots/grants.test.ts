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
  const grants = new Grants(() => {})
  const ends: ((sent: boolean) => boolean)[] = []
  /** Grants slots to the channels, which have this many messages each, and begins those. Returns how many began, by project. */
  function pass(channels: DueChannel[], has: (projectId: number) => number = () => 100): Map<number, number> {
    grants.beginPass()
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
  return { pass, ends, isAgain: () => isAgain }
}

const FIRST_TEN = Array.from({ length: 10 }, (_, index) => index + 1)

test('projects that wait at the same time share the slots equally', () => {
  const { pass } = open()
  const began = pass(channelsOf(...FIRST_TEN))
  assert.deepEqual([...began.keys()], FIRST_TEN)
  assert.deepEqual(new Set(began.values()), new Set([4, 5]))
})

test('the next free slot goes to a project that has no message under way', () => {
  const { pass, ends } = open()
  pass(channelsOf(...FIRST_TEN))
  for (const end of ends.slice(0, 2)) end(true)
  const began = pass(channelsOf(...FIRST_TEN, 11))
  assert.deepEqual([...began], [[11, 2]])
})

test('a project that waits alone gets as many slots as one project may have', () => {
  const { pass } = open()
  assert.equal(pass(channelsOf(1)).get(1), LIMITS.promptPerProject)
})

test('slots that a project does not use go to the others', () => {
  const { pass, isAgain } = open()
  const has = (projectId: number) => (projectId === 1 ? 100 : 0)
  const channels = channelsOf(...FIRST_TEN)
  const first = pass(channels, has).get(1)!
  assert.ok(isAgain())
  assert.equal(first + pass(channels, has).get(1)!, LIMITS.promptPerProject)
  assert.ok(!isAgain())
})
