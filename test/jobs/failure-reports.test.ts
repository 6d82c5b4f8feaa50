import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FailureReports } from '../../src/jobs/failure-reports.js'
import { FakeClock } from '../_support/clock.js'

const MINUTE = 60

function failureReports() {
  const clock = new FakeClock()
  const said: string[] = []
  const reports = new FailureReports(clock, ({ what, channel = '', minutes, error }) =>
    said.push([what, channel, minutes, error].filter(Boolean).join(' ')),
  )
  const fail = (...channels: string[]) => {
    for (const channel of channels) reports.noteDelivery(channel, { outcome: 'retry', error: 'no route' })
  }
  return { clock, said, reports, fail }
}

test('failures that last for minutes are reported now and then, with the newest reason', () => {
  const { clock, said, fail } = failureReports()
  for (let minute = 0; minute <= 26; minute++) {
    fail('a')
    clock.advance(MINUTE)
  }
  assert.deepEqual(said, [
    'alerts of a channel a 5 no route',
    'alerts of a channel a 15 no route',
    'alerts of a channel a 25 no route',
  ])
})

test('a report of e-mails that fail names no channel', () => {
  const { clock, said, reports } = failureReports()
  for (let minute = 0; minute <= 5; minute++) {
    reports.noteMail({ outcome: 'retry', error: 'no route' })
    clock.advance(MINUTE)
  }
  assert.deepEqual(said, ['e-mails to people 5 no route'])
})

test('failures of which nothing was tried for hours do not count', () => {
  const { clock, said, fail } = failureReports()
  fail('a')
  clock.advance(7 * 60 * MINUTE)
  fail('a')
  assert.deepEqual(said, [])
  clock.advance(5 * MINUTE)
  fail('a')
  assert.deepEqual(said, ['alerts of a channel a 5 no route'])
})

test('a failure that disables the channel is a failure, too', () => {
  const { clock, said, reports, fail } = failureReports()
  fail('a')
  clock.advance(60 * MINUTE)
  reports.noteDelivery('a', { outcome: 'disable', error: 'no such user' })
  assert.deepEqual(said, ['alerts of a channel a 60 no such user'])
})
