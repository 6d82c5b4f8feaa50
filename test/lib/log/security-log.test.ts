import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../../src/lib/log/log.js'
import { createSecurityLog } from '../../../src/lib/log/security-log.js'
import { FakeClock } from '../../_support/clock.js'

function open(format: 'json' | 'pretty' = 'json') {
  const lines: string[] = []
  const clock = new FakeClock()
  const log = createLog({ format, level: 'info', write: line => lines.push(line) })
  return { note: createSecurityLog(log, clock), lines, clock }
}

test('a line begins with level, time, event and address, and ends with the facts', () => {
  const { note, lines } = open()
  note('sign-in-failed', { address: '203.0.113.7', account: 'a@example.org' })
  note('key-created', { address: '::1', kind: 'rw' })
  assert.match(
    lines[0]!,
    /^\{"level":"warn","time":"[^"]+","security":"sign-in-failed","address":"203.0.113.7","account":"a@example.org","msg":"security"\}\n$/,
  )
  assert.match(
    lines[1]!,
    /^\{"level":"info","time":"[^"]+","security":"key-created","address":"::1","kind":"rw",/,
  )
})

test("users' texts stay within their field in both formats", () => {
  const name = 'x"\n{"level":"warn" security=sign-in-failed address=192.0.2.1'
  for (const format of ['json', 'pretty'] as const) {
    const { note, lines } = open(format)
    note('project-created', { address: '203.0.113.7', name })
    assert.equal(lines.length, 1)
    assert.equal(lines[0]!.indexOf('\n'), lines[0]!.length - 1)
    assert.ok(lines[0]!.includes('\\"\\n{\\"level\\"'))
  }
})

test('at most 60 warnings per event, address and minute are logged', () => {
  const { note, lines, clock } = open()
  for (let i = 0; i < 100; i++) note('sign-in-failed', { address: '203.0.113.7' })
  note('sign-in-failed', { address: '203.0.113.8' })
  note('limit-reached', { address: '203.0.113.7' })
  assert.equal(lines.length, 62)
  clock.advance(60)
  note('sign-in-failed', { address: '203.0.113.7' })
  assert.equal(JSON.parse(lines[62]!).omitted, 40)
  note('sign-in-failed', { address: '203.0.113.7' })
  assert.equal(JSON.parse(lines[63]!).omitted, undefined)
})

test('events that are not warnings are always logged', () => {
  const { note, lines } = open()
  for (let i = 0; i < 100; i++) note('key-created', { address: '203.0.113.7' })
  assert.equal(lines.length, 100)
})
