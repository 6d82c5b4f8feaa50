import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Alerted } from '../../../src/views/components/checks/alerted.js'

const NOW = Date.UTC(2026, 0, 5, 12)
const page = { now: NOW, user: null } as never

test('whom an alert reached stands first, then who was not reached, and after how many attempts', () => {
  const one = (name: string, error: string, attempts: number) => ({
    at: NOW - 60_000,
    channel: { name, kind: 'slack' },
    error,
    attempts,
  })
  const told = [one('Pager', 'HTTP 500.', 6), one('Ops', '', 1), one('Mail', 'Sending', 1), one('SMS', '', 2)]
  const words = String(Alerted({ page, told })).replace(/<[^>]+>/g, '')
  assert.equal(
    words.replace(/\s+/g, ' ').trim(),
    'Alerted Ops 1 min ago, SMS 1 min ago. Pager: not delivered (HTTP 500), 6 attempts. Mail: sending.',
  )
})
