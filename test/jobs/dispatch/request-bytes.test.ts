import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { HttpRequest, Transports } from '../../../src/integrations/transports.js'
import { RequestBytes, withCountedBytes } from '../../../src/jobs/dispatch/request-bytes.js'

/** Counts with small limits, on a clock of the test's own. */
function open(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const cut: string[] = []
  const limits = { project: 100, all: 250, few: 10, cutOffAfterMs: 5_000, mostOfProject: 200, most: 400 }
  const bytes = new RequestBytes(() => now, limits)
  return {
    bytes,
    cut,
    pass(ms: number) {
      now += ms
      t.mock.timers.tick(ms)
    },
    begin: (projectId: number, name: string, size: number) =>
      bytes.begin(projectId, size, tookMs => cut.push(`${name} after ${tookMs}`)),
  }
}

test('a project whose requests hold too many bytes begins no message until some end', t => {
  const { bytes, begin, cut } = open(t)
  const end = begin(1, 'a', 60)
  begin(1, 'b', 60)
  assert.deepEqual(
    [1, 2].map(project => bytes.isFull(project)),
    [true, false],
  )
  end()
  end()
  assert.equal(bytes.isFull(1), false)
  assert.deepEqual(cut, [])
})

test('while a project begins no message, its requests without an answer for five seconds are cut off', t => {
  const { bytes, begin, cut, pass } = open(t)
  begin(2, 'other', 90)
  begin(1, 'a', 40)
  pass(4_000)
  begin(1, 'b', 40)
  pass(2_000)
  assert.deepEqual(cut, [])
  begin(1, 'c', 40)
  assert.deepEqual(cut, ['a after 6000'])
  begin(1, 'd', 90)
  assert.equal(bytes.isFull(1), true)
  pass(2_000)
  assert.deepEqual(cut, ['a after 6000'])
  pass(3_010)
  assert.deepEqual(cut, ['a after 6000', 'b after 7010', 'c after 5010'])
  assert.equal(bytes.isFull(1), false)
})

test('if all projects hold too many bytes, only those with few begin messages, and none of theirs is cut off', t => {
  const { bytes, begin, cut, pass } = open(t)
  begin(5, 'small', 10)
  for (const project of [1, 2, 3]) begin(project, 'a', 90)
  assert.deepEqual(
    [1, 2, 3, 4, 5].map(project => bytes.isFull(project)),
    [true, true, true, false, false],
  )
  pass(5_010)
  assert.deepEqual(cut, ['a after 5010'])
})

test('messages that began together lose the oldest if they hold far too many bytes', t => {
  const { begin, cut } = open(t)
  for (const name of ['a', 'b', 'c']) begin(1, name, 90)
  assert.deepEqual(cut, ['a after 0'])
  begin(2, 'd', 100)
  begin(3, 'e', 90)
  begin(4, 'f', 40)
  assert.deepEqual(cut, ['a after 0', 'b after 0'])
})

test('a single request larger than the limits is sent', t => {
  const { begin, cut } = open(t)
  begin(1, 'huge', 1_000)
  assert.deepEqual(cut, [])
})

test('a request counts with its address, headers and body until it is answered or fails', async () => {
  const counted: number[] = []
  const transports = (http: (request: HttpRequest) => Promise<never>) =>
    withCountedBytes({ http } as Partial<Transports> as Transports, size => {
      counted.push(size)
      return () => counted.push(-size)
    })
  const sent = transports(() => Promise.reject(new Error('away'))).http({
    method: 'POST',
    url: 'http://a',
    headers: { 'X-A': 'b' },
    body: '\u00e9\u00e9',
  })
  assert.deepEqual(counted, [16])
  await assert.rejects(sent, { message: 'away' })
  assert.deepEqual(counted, [16, -16])
})
