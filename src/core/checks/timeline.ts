/** A check's pings, flips and notifications as one story, newest first. */

import type { LoggedPing } from '../pings/ping-log.js'
import type { Flip } from './flip.js'

/** What the story may be narrowed to: the kinds of ping, and the two other things that happen. */
export const TIMELINE_KINDS = ['success', 'fail', 'start', 'log', 'ign', 'flip', 'notification'] as const
export type TimelineKind = (typeof TIMELINE_KINDS)[number]

export interface TimelinePing extends LoggedPing {
  exitStatus: number | null
  durationMs: number | null
  /** The beginning of the body as text, or null. */
  preview: string | null
  bodySize: number
}

export interface TimelineFlip extends Flip {
  id: number
}

/** All attempts at telling one channel of one flip. */
export interface TimelineNotification {
  id: number
  /** When the first attempt was made, and when the last. */
  at: number
  lastAt: number
  channel: { uuid: string; name: string; kind: string }
  /** What was told: the status of the flip. */
  checkStatus: string
  attempts: number
  /** How the last attempt went: empty after a success, `Sending` while under way. */
  error: string
}

export type TimelineEvent =
  | { type: 'ping'; at: number; ping: TimelinePing }
  | { type: 'flip'; at: number; flip: TimelineFlip }
  | { type: 'notification'; at: number; notification: TimelineNotification }

/** Where a page ends: the numbers of the last ping, flip and notification that were shown. */
export interface TimelineCursor {
  ping: number
  flip: number
  notification: number
}

/** Before everything. */
export const NEWEST: TimelineCursor = {
  ping: Number.MAX_SAFE_INTEGER,
  flip: Number.MAX_SAFE_INTEGER,
  notification: Number.MAX_SAFE_INTEGER,
}

/** What may come on a page, each newest first and older than the page's cursor. */
export interface TimelineSources {
  pings: readonly TimelinePing[]
  flips: readonly TimelineFlip[]
  notifications: readonly TimelineNotification[]
}

export interface TimelinePage {
  events: TimelineEvent[]
  /** Where the next, older page begins; null at the end. */
  next: TimelineCursor | null
}

/**
 * The first `count` events of the sources. At the same instant a notification stands above its flip and a flip
 * above its ping: what followed is newer. Each source keeps its own order, so that pages neither repeat nor lose
 * anything. The sources hold one more than `count` where there is more.
 */
export function timelinePage(sources: TimelineSources, count: number, from: TimelineCursor): TimelinePage {
  const heads: TimelineEvent[][] = [
    sources.notifications.map(notification => ({ type: 'notification', at: notification.at, notification })),
    sources.flips.map(flip => ({ type: 'flip', at: flip.createdAt, flip })),
    sources.pings.map(ping => ({ type: 'ping', at: ping.at, ping })),
  ]
  const taken = [0, 0, 0]
  const events: TimelineEvent[] = []
  const cursor = { ...from }
  for (;;) {
    let best = -1
    for (const [source, queue] of heads.entries()) {
      const head = queue[taken[source]!]
      if (head && (best === -1 || head.at > heads[best]![taken[best]!]!.at)) best = source
    }
    if (best === -1) return { events, next: null }
    if (events.length === count) return { events, next: cursor }
    const event = heads[best]![taken[best]!++]!
    events.push(event)
    advance(cursor, event)
  }
}

function advance(cursor: TimelineCursor, event: TimelineEvent): void {
  if (event.type === 'ping') cursor.ping = event.ping.n
  else if (event.type === 'flip') cursor.flip = event.flip.id
  else cursor.notification = event.notification.id
}

/** A cursor as it stands in a URL. */
export function cursorText({ ping, flip, notification }: TimelineCursor): string {
  return [ping, flip, notification].map(id => (id === Number.MAX_SAFE_INTEGER ? '' : id)).join('.')
}

/** The cursor of a URL; {@link NEWEST} where there is none that can be read. */
export function parseCursor(text: string | null | undefined): TimelineCursor {
  const found = /^(\d{0,15})\.(\d{0,15})\.(\d{0,15})$/.exec(text ?? '')
  if (!found) return NEWEST
  const [ping, flip, notification] = found
    .slice(1)
    .map(id => (id === '' ? Number.MAX_SAFE_INTEGER : Number(id)))
  return { ping: ping!, flip: flip!, notification: notification! }
}
