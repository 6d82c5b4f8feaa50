import type { PlannedStep } from '../../../core/config/planned.js'
import type { Section, Values } from '../../../core/config/project-config.js'
import type { Need } from '../../../core/people/role.js'
import { appendTo } from '../../../lib/append-to.js'
import type { Db } from '../../db.js'
import type { Author } from '../lock-author.js'

/** A planned step with what is to be written, or the dependencies that a check gets in the end. */
export interface ConfigStep extends Pick<PlannedStep, 'section' | 'key' | 'movedFrom'> {
  action: PlannedStep['action'] | 'depend'
  /** All values of a new object, else those that change; for `depend` only `depends_on`. */
  values: Values
  /** For a check that is there: what the plan saw of it, see `StoredObject.seen`. */
  seen?: string
  /** For a check that is there and gets other dependencies: the UUIDs of those before the step, sorted. */
  parents?: readonly string[]
  /** For a channel that is created or whose values change. */
  channel?: ChannelWrite
  /** For a silence that is created or whose values change. */
  silence?: SilenceWrite
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

export interface SilenceWrite {
  /** Whether it is created, because it was not there or is over. */
  isNew: boolean
  /** When the one that is changed began (ms). */
  beganAt: number | null
}

/**
 * The phases in which steps are made, so that each names only what is there. Groups of channels come after others. Checks change before others are deleted, so that none takes
 * the key of another, and lose dependencies before they get new ones, so that no circle is made on the way.
 */
const PHASES = [
  'write channels',
  'write groups',
  'write policies',
  'change checks',
  'delete checks',
  'create checks',
  'depend checks',
  'delete silences',
  'write silences',
  'delete policies',
  'delete channels',
] as const

export type Phase = (typeof PHASES)[number]

function phaseOf({ section, action, channel }: ConfigStep): Phase {
  if (action === 'delete') return `delete ${section}`
  if (section === 'channels') return channel && channel.members.length > 0 ? 'write groups' : 'write channels'
  if (section !== 'checks') return `write ${section}`
  return action === 'create' || action === 'depend' ? `${action} checks` : 'change checks'
}

/** The steps in the order of their phases. */
export function inPhases(steps: readonly ConfigStep[]): ConfigStep[] {
  const phases = byPhase(steps)
  return PHASES.flatMap(phase => phases.get(phase) ?? [])
}

/** The steps of each phase. */
export function byPhase(steps: readonly ConfigStep[]): Map<Phase, ConfigStep[]> {
  const phases = new Map<Phase, ConfigStep[]>()
  for (const step of steps) appendTo(phases, phaseOf(step), step)
  return phases
}

/** Whether steps like this are made together, with few statements; others are made as long as there is time. */
export function isMadeTogether({ section, action }: ConfigStep): boolean {
  return section === 'checks' && action !== 'delete'
}

/** What the steps of a plan have in common while they are written. */
export interface Applying {
  db: Db
  projectId: number
  by: Author
  /** The name of who applies, as pages show it. */
  author: string
  now: number
  /** Whether the time of the transaction is over. */
  isOver(): boolean
  /** The UUIDs or IDs of the objects that the steps name, by their keys, also of those that were created. */
  refs: Record<Section, Map<string, string>>
  /** The beginnings in the file (ms) of silences that begin later, by their keys. */
  begins: Map<string, number>
  /** What was created. */
  made: MadeObject[]
  /** A deadline that moved earlier, and whether deliveries were added. */
  wakeAt: number | null
  alerts: boolean
}

export interface MadeObject {
  section: Section
  key: string
  ref: string
}

/** The UUIDs or IDs of objects. */
export function refsOf({ refs }: Applying, section: Section, keys: readonly string[]): string[] {
  return keys.map(key => refs[section].get(key)!)
}

/** Notes the UUID or ID of an object that was created. */
export function noteMade({ refs, made }: Applying, { section, key }: ConfigStep, ref: string): void {
  refs[section].set(key, ref)
  made.push({ section, key, ref })
}

/** Notes what has to be announced after the commit. */
export function note(applying: Applying, written: { wakeAt?: number | null; alerts?: boolean }): void {
  const { wakeAt = null, alerts = false } = written
  if (wakeAt !== null) applying.wakeAt = Math.min(wakeAt, applying.wakeAt ?? wakeAt)
  if (alerts) applying.alerts = true
}
