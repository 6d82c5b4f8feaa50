/** What happened to all checks of a project, as one story. */
import type { Flip } from '../checks/flip.js'
import type { TimelineNotification } from '../checks/timeline.js'
import type { LoggedPing } from '../pings/ping-log.js'

/** The check that something happened to. */
interface OfCheck {
  check: { uuid: string; name: string }
  /** Its number among its kind, greater for what is newer. */
  id: number
}

export type ProjectPing = OfCheck & Omit<LoggedPing, 'hasBody'> & { exitStatus: number | null }
export type ProjectFlip = OfCheck & Flip
export type ProjectNotification = OfCheck & TimelineNotification

export type ProjectEvent =
  | { type: 'ping'; at: number; ping: ProjectPing }
  | { type: 'flip'; at: number; flip: ProjectFlip }
  | { type: 'notification'; at: number; notification: ProjectNotification }

/** What may come on a page, each newest first. */
export interface ProjectSources {
  pings: readonly ProjectPing[]
  flips: readonly ProjectFlip[]
  notifications: readonly ProjectNotification[]
}

/**
 * The first `count` events of the sources, the newest first; at the same instant what followed stands above what
 * caused it. Each source keeps its own order, so that pages neither repeat nor lose anything. What happened
 * before `since` is left for a later page.
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
