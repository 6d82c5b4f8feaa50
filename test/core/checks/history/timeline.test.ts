import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  cursorText,
  NEWEST,
  parseCursor,
  type TimelineCursor,
  type TimelineEvent,
  type TimelineFlip,
  type TimelineNotification,
  type TimelinePing,
  timelinePage,
} from '../../../../src/core/checks/history/timeline.js'

const ping = (n: number, at: number): TimelinePing => ({
  n,
  at,
  atUs: 0,
  action: 'success',
  scheme: 'http',
  remoteAddr: null,
  method: 'GET',
  ua: '',
  rid: null,
  hasBody: false,
  exitStatus: null,
  cause: null,
  durationMs: null,
  ranAt: null,
  preview: null,
  bodySize: 0,
})
const flip = (id: number, createdAt: number): TimelineFlip => ({
  id,
  createdAt,
  oldStatus: 'up',
  newStatus: 'down',
  reason: 'failed',
})
const note = (id: number, at: number): TimelineNotification => ({
  id,
  at,
  channel: { uuid: 'u', name: 'n', kind: 'webhook' },
  checkStatus: 'down',
  attempts: 1,
  lastAt: at,
  error: '',
})

const pings = [ping(4, 40), ping(3, 30), ping(2, 20), ping(1, 10)]
const flips = [flip(2, 40), flip(1, 20)]
const notifications = [note(7, 41), note(6, 20)]

const names = (events: TimelineEvent[]) =>
  events.map(event => {
    if (event.type === 'ping') return `p${event.ping.n}`
    return event.type === 'flip' ? `f${event.flip.id}` : `t${event.notification.id}`
  })

const ORDER = ['t7', 'f2', 'p4', 'p3', 't6', 'f1', 'p2', 'p1']

test('the timeline is newest first; at one instant, notifications precede flips and pings', () => {
  const page = timelinePage({ pings, flips, notifications }, 100, NEWEST)
  assert.deepEqual(names(page.events), ORDER)
  assert.equal(page.next, null)
})

for (const size of [1, 2, 3, 5, 7]) {
  test(`pages of ${size} contain every event once, in order`, () => {
    const seen: string[] = []
    let cursor: TimelineCursor | null = NEWEST
    while (cursor) {
      const { ping: n, flip: f, notification: t }: TimelineCursor = parseCursor(cursorText(cursor))
      const sources = {
        pings: pings.filter(one => one.n < n).slice(0, size + 1),
        flips: flips.filter(one => one.id < f).slice(0, size + 1),
        notifications: notifications.filter(one => one.id < t).slice(0, size + 1),
      }
      const page: ReturnType<typeof timelinePage> = timelinePage(sources, size, cursor)
      seen.push(...names(page.events))
      cursor = page.next
    }
    assert.deepEqual(seen, ORDER)
  })
}

test('an invalid cursor starts at the newest event', () => {
  for (const text of [null, undefined, '', '1', '1.2', 'a.b.c', '1.2.3.4', '-1.2.3'])
    assert.deepEqual(parseCursor(text), NEWEST)
  assert.deepEqual(parseCursor('12..3'), { ping: 12, flip: Number.MAX_SAFE_INTEGER, notification: 3 })
})
