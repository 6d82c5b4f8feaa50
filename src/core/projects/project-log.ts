/** The events of all checks of a project in one list. */
import type { Flip } from '../checks/flip.js'
import type { TimelineNotification, TimelinePing } from '../checks/history/timeline.js'
import type { LoggedPing } from '../pings/ping-log.js'

/** The check of an event. */
interface OfCheck {
  check: { uuid: string; name: string }
  /** Its ID among the events of its kind; newer events have greater ones. */
  id: number
}

export type ProjectPing = OfCheck & Omit<LoggedPing, 'hasBody'> & Pick<TimelinePing, 'exitStatus' | 'cause'>
export type ProjectFlip = OfCheck & Flip
export type ProjectNotification = OfCheck & TimelineNotification

export type ProjectEvent =
  | { type: 'ping'; at: number; ping: ProjectPing }
  | { type: 'flip'; at: number; flip: ProjectFlip }
  | { type: 'notification'; at: number; notification: ProjectNotification }

/** The candidates for a page, each list newest first. */
export interface ProjectSources {
  pings: readonly ProjectPing[]
  flips: readonly ProjectFlip[]
  notifications: readonly ProjectNotification[]
}

/**
 * The first `count` events of the sources, newest first; at the same instant, effects come before causes. Each source
 * keeps its order, so that pages neither repeat nor lose events. Events before `since` are left for a later page.
 */
export function newestEvents(sources: ProjectSources, count: number, since: number): ProjectEvent[] {
  const queues: ProjectEvent[][] = [
    sources.notifications.map(notification => ({ type: 'notification', at: notification.at, notification })),
    sources.flips.map(flip => ({ type: 'flip', at: flip.createdAt, flip })),
    sources.pings.map(ping => ({ type: 'ping', at: ping.at, ping })),
  ]
  const events: ProjectEvent[] = []
  while (events.length < count) {
    const heads = queues.filter(queue => queue.length > 0 && queue[0]!.at >= since)
    if (heads.length === 0) break
    const newest = heads.reduce((best, queue) => (queue[0]!.at > best[0]!.at ? queue : best))
    events.push(newest.shift()!)
  }
  return events
}
