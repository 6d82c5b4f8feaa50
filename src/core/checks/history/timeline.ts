/** A check's pings, flips and notifications in one list, newest first. */

import type { LoggedPing } from '../../pings/ping-log.js'
import type { Flip } from '../flip.js'
import type { Cause } from '../health/cause.js'

/** The filters of the list: the kinds of ping, flips and notifications. */
export const TIMELINE_KINDS = ['success', 'fail', 'start', 'log', 'ign', 'flip', 'notification'] as const
export type TimelineKind = (typeof TIMELINE_KINDS)[number]

export interface TimelinePing extends LoggedPing {
  exitStatus: number | null
  /** Why it is a failure, where it did not report one itself; else null. */
  cause: Cause | null
  durationMs: number | null
  /** The beginning of the body as text, or null. */
  preview: string | null
  bodySize: number
}

export interface TimelineFlip extends Flip {
  id: number
}

/** All attempts to send one flip to one channel. */
export interface TimelineNotification {
  id: number
  /** When the first attempt was made, and when the last. */
  at: number
  lastAt: number
  channel: { uuid: string; name: string; kind: string }
  /** The reported status: the new status of the flip. */
  checkStatus: string
  attempts: number
  /** The error of the last attempt: empty after a success, `Sending` while it is under way. */
  error: string
}

export type TimelineEvent =
  | { type: 'ping'; at: number; ping: TimelinePing }
  | { type: 'flip'; at: number; flip: TimelineFlip }
  | { type: 'notification'; at: number; notification: TimelineNotification }

/** Where a page ends: the numbers of the last ping, flip and notification on it. */
export interface TimelineCursor {
  ping: number
  flip: number
  notification: number
}

/** The cursor of the first page. */
export const NEWEST: TimelineCursor = {
  ping: Number.MAX_SAFE_INTEGER,
  flip: Number.MAX_SAFE_INTEGER,
  notification: Number.MAX_SAFE_INTEGER,
}

/** The candidates for a page, each list newest first and older than the page's cursor. */
export interface TimelineSources {
  pings: readonly TimelinePing[]
  flips: readonly TimelineFlip[]
  notifications: readonly TimelineNotification[]
}

export interface TimelinePage {
  events: TimelineEvent[]
  /** Where the next page, with older events, begins; null at the end. */
  next: TimelineCursor | null
}

/**
 * The first `count` events of the sources. At the same instant, effects come before causes: a notification above its
 * flip, a flip above its ping. Each source keeps its order, so that pages neither repeat nor lose events. The sources
 * hold more than `count` events if there is another page.
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

/** A cursor as text in a URL. */
export function cursorText({ ping, flip, notification }: TimelineCursor): string {
  return [ping, flip, notification].map(id => (id === Number.MAX_SAFE_INTEGER ? '' : id)).join('.')
}

/** The cursor of a URL; {@link NEWEST} if there is none or it is invalid. */
export function parseCursor(text: string | null | undefined): TimelineCursor {
  const found = /^(\d{0,15})\.(\d{0,15})\.(\d{0,15})$/.exec(text ?? '')
  if (!found) return NEWEST
  const [ping, flip, notification] = found
    .slice(1)
    .map(id => (id === '' ? Number.MAX_SAFE_INTEGER : Number(id)))
  return { ping: ping!, flip: flip!, notification: notification! }
}
