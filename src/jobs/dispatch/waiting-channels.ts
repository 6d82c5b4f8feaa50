/**
 * Channels found to have something due, until they are found to have nothing. The search passes each channel only now
 * and then, so one that got no slot would otherwise have to be found again. Decision 0103.
 */
import { RecentMap } from '../../lib/recent-map.js'
import type { Waiting } from './turns.js'

/** The maximum number of remembered projects, and of channels per project; the oldest are forgotten first. */
const REMEMBERED = { projects: 4_000, channelsPerProject: 16 }

export class WaitingChannels {
  readonly #projects: RecentMap<number, RecentMap<number, Waiting>>

  constructor(private readonly remembered = REMEMBERED) {
    this.#projects = new RecentMap(remembered.projects)
  }

  add({ id, projectId }: Waiting): void {
    const channels = this.#projects.get(projectId) ?? new RecentMap(this.remembered.channelsPerProject)
    channels.set(id, { id, projectId })
    this.#projects.set(projectId, channels)
  }

  delete({ id, projectId }: Waiting): void {
    const channels = this.#projects.get(projectId)
    channels?.delete(id)
    if (channels?.size === 0) this.#projects.delete(projectId)
  }

  all(): Waiting[] {
    return [...this.#projects.values()].flatMap(channels => [...channels.values()])
  }
}
