import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DigestLine, MAX_NAMED, digestWords as wordsOf } from '../../../src/core/alerts/digest.js'

const NOW = Date.parse('2026-03-05T12:00:00Z')

const ROOT = 'https://monitor.example'

/** The words, with the list as lines. */
function digestWords(lines: DigestLine[], project: string, now: number, tz?: string) {
  const { title, items, text } = wordsOf(lines, project, now, { tz, root: ROOT })
  const list = items.map(({ label, text: state }) => `- ${label}: ${state}`)
  return { title, items, text: [...list, text].filter(part => part !== '').join('\n') }
}

const line = (name: string, changes: Partial<DigestLine> = {}): DigestLine => ({
  flipId: 1,
  check: { name, slug: '', uniqueKey: 'abcdefgh01' },
  status: 'down',
  statusNow: 'down',
  reason: 'missed',
  at: NOW - 180_000,
  outage: null,
  ...changes,
})

test('a digest lists each check, those that are down first', () => {
  const { title, text } = digestWords(
    [
      line('Sync', { status: 'up', statusNow: 'up', reason: '' }),
      line('Mail', { statusNow: 'up', reason: 'failed' }),
      line('Zeta'),
      line('Backup'),
    ],
    'Alpha',
    NOW,
  )
  assert.equal(title, '3 checks of Alpha are DOWN, 1 is UP')
  assert.equal(
    text,
    `- Backup: DOWN since 11:57 UTC, no success ping in time
- Zeta: DOWN since 11:57 UTC, no success ping in time
- Mail: DOWN since 11:57 UTC, failed; it is UP now
- Sync: UP since 11:57 UTC`,
  )
})

test('each check of a digest links to its page, and times are by the clock of the reader', () => {
  const { items } = digestWords([line('Backup')], '', NOW, 'Europe/Riga')
  assert.deepEqual(items, [
    {
      label: 'Backup',
      url: `${ROOT}/cloaked/abcdefgh01/`,
      text: 'DOWN since 13:57 UTC+02:00, no success ping in time',
    },
  ])
})

test('a digest of very many checks names some and counts the rest', () => {
  const lines = Array.from({ length: 400 }, (_, index) => line(`c${String(index).padStart(3, '0')}`))
  const { title, text } = digestWords(lines, '', NOW)
  assert.equal(title, '400 checks are DOWN')
  const rows = text.split('\n')
  assert.equal(rows.length, MAX_NAMED + 1)
  assert.equal(rows.at(-1), `and ${400 - MAX_NAMED} more`)
})

test('a digest of recoveries only says so', () => {
  const up = { status: 'up', statusNow: 'up', reason: '' } as const
  assert.equal(digestWords([line('A', up), line('B', up)], 'Alpha', NOW).title, '2 checks of Alpha are UP')
})

test('a name with several lines is shown on one', () => {
  const { text } = digestWords([line('Backup\r\n- Sync: UP'), line('Zeta')], 'Alpha', NOW)
  assert.equal(text.split('\n')[0], '- Backup - Sync: UP: DOWN since 11:57 UTC, no success ping in time')
})

test('an outage during which pings were expected is mentioned once, with their number', () => {
  const outage = { startedAt: NOW - 600_000, endedAt: NOW - 300_000, holdUntil: NOW }
  const { text } = digestWords([line('A', { outage }), line('B'), line('C', { outage })], '', NOW)
  assert.equal(
    text.split('\n').at(-1),
    'Punctual was unreachable 11:50-11:55 UTC, when 2 of these checks should have pinged, so that may have been missed.',
  )
  const alone = digestWords([line('A', { outage }), line('B')], '', NOW)
  assert.match(alone.text, /when one of these checks should have pinged/)
  const elsewhere = digestWords([line('A', { outage })], '', NOW, 'Asia/Kolkata')
  assert.match(elsewhere.text, /unreachable 17:20-17:25 UTC\+05:30, when/)
})

test('a digest of no checks has no words about them', () => {
  assert.equal(digestWords([], '', NOW).text, '')
})
