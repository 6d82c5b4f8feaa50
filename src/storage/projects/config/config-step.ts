import type { PlannedStep } from '../../../core/config/planned.js'
import type { Section, Values } from '../../../core/config/project-config.js'
import type { Need } from '../../../core/people/role.js'
import type { Db } from '../../db.js'
import type { Author } from '../lock-author.js'
import type { StoredObject } from './stored-config.js'

/** A planned step with what is to be written. */
export interface ConfigStep extends Pick<PlannedStep, 'action' | 'section' | 'key' | 'movedFrom'> {
  /** All values of a new object, else those that change. */
  values: Values
  /** For a channel that is created or whose values change. */
  channel?: ChannelWrite
}

/** The whole channel after a step, with settings as they are stored. */
export interface ChannelWrite {
  name: string
  kind: string
  settings: Record<string, string>
  /** By their keys. */
  members: readonly string[]
  /** Null: as it is. */
  confirmed: boolean | null
  /** Whether the destination changed. */
  redirected: boolean
  /** Whether it sends where it did, in the same way. */
  sentAlike: boolean
  need: Need
}

/** What the steps of a plan have in common while they are written. */
export interface Applying {
  db: Db
  projectId: number
  by: Author
  /** The name of who applies, as pages show it. */
  author: string
  now: number
  /** The UUID or ID of every object by its key, also of those that were created. */
  refs: Record<Section, Map<string, string>>
  /** The objects as they were, by their keys after the moves. */
  before: Record<Section, ReadonlyMap<string, StoredObject>>
  /** A deadline that moved earlier, and whether deliveries were added. */
  wakeAt: number | null
  alerts: boolean
}

/** The UUIDs or IDs of objects. */
export function refsOf({ refs }: Applying, section: Section, keys: readonly string[]): string[] {
  return keys.map(key => refs[section].get(key)!)
}

/** Notes what has to be announced after the commit. */
export function note(applying: Applying, written: { wakeAt?: number | null; alerts?: boolean }): void {
  const { wakeAt = null, alerts = false } = written
  if (wakeAt !== null) applying.wakeAt = Math.min(wakeAt, applying.wakeAt ?? wakeAt)
  if (alerts) applying.alerts = true
}
