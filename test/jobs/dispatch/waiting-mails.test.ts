import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WaitingMails } from '../../../src/jobs/dispatch/waiting-mails.js'

let lastId = 0
const mail = (owner: number, domain = 'example.org') => ({ id: ++lastId, dueAt: 1, owner, domain })
const mails = (owner: number, count: number) => Array.from({ length: count }, () => mail(owner))

/** Takes `count` e-mails of those that may begin, and returns their owners. */
function take(waiting: WaitingMails, count: number, may = (_: { domain: string }) => true): number[] {
  let left = count
  return waiting.take(one => may(one) && left-- > 0).map(({ owner }) => owner)
}

test('owners take turns, whichever has the most', () => {
  const waiting = new WaitingMails()
  waiting.replace([...mails(1, 3), ...mails(2, 1), ...mails(3, 2)])
  assert.deepEqual(take(waiting, 10), [1, 2, 3, 1, 3, 1])
  assert.ok(waiting.isEmpty)
})

test('an owner keeps the turn when e-mails are searched for again', () => {
  const waiting = new WaitingMails()
  waiting.replace([...mails(1, 3), ...mails(2, 3), ...mails(3, 3)])
  assert.deepEqual(take(waiting, 2), [1, 2])
  waiting.replace([...mails(1, 3), ...mails(2, 3), ...mails(3, 3)])
  assert.deepEqual(take(waiting, 3), [3, 1, 2])
})

test('notices of projects come before what people are sent regularly', () => {
  const waiting = new WaitingMails()
  waiting.replace([mail(-1), mail(-2), mail(5)])
  assert.deepEqual(take(waiting, 3), [5, -1, -2])
})

test('notices come before reports, whatever began before', () => {
  const waiting = new WaitingMails()
  waiting.replace([mail(-1), mail(-2), ...mails(5, 4), ...mails(6, 2)])
  assert.deepEqual(take(waiting, 1), [5])
  assert.deepEqual(take(waiting, 3), [6, 5, 6])
  assert.deepEqual(take(waiting, 10), [5, 5, -1, -2])
})

test('reports begin while no notice may', () => {
  const waiting = new WaitingMails()
  waiting.replace([mail(-1), mail(5, 'slow.example')])
  assert.deepEqual(
    take(waiting, 10, ({ domain }) => domain !== 'slow.example'),
    [-1],
  )
})

test('an e-mail that may not begin holds no other of its owner to another domain', () => {
  const waiting = new WaitingMails()
  waiting.replace([mail(1, 'slow.example'), mail(1, 'slow.example'), mail(1), mail(2)])
  assert.deepEqual(
    take(waiting, 10, ({ domain }) => domain !== 'slow.example'),
    [1, 2],
  )
  assert.equal(waiting.isEmpty, false)
  assert.deepEqual(take(waiting, 10), [1, 1])
})

test('the domains of an owner take turns', () => {
  const waiting = new WaitingMails()
  waiting.replace([mail(1, 'a'), mail(1, 'a'), mail(1, 'b')])
  const taken = waiting.take(() => true)
  assert.deepEqual(
    taken.map(({ domain }) => domain),
    ['a', 'b', 'a'],
  )
})
