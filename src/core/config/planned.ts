/** A plan as data. */
import type { ConfigProblem, Json, Section } from './project-config.js'
import type { ChannelSections } from './sections.js'

export interface FieldChange {
  name: string
  before: Json
  after: Json
  /** Neither value is to be shown. */
  isSecret: boolean
}

/** `adopt`: people or programs made the object, and from now on the file owns it. */
export interface PlannedStep {
  action: 'create' | 'adopt' | 'change' | 'delete'
  section: Section
  key: string
  /** Its key before, if it is moved. */
  movedFrom: string | null
  /** Of a new object, what differs from the defaults. */
  fields: readonly FieldChange[]
}

export interface Plan {
  steps: readonly PlannedStep[]
  /** What the file made and no longer has, and what stays because nothing is to be deleted. */
  left: readonly { section: Section; key: string }[]
  /** With a problem nothing may be applied. */
  problems: readonly ConfigProblem[]
}

export interface PlanOptions {
  /** The name of the file. */
  owner: string
  /** Whether what the file made and no longer has is deleted. */
  prune: boolean
  /** How many objects may be deleted; null: a fifth of what the file made. */
  maxDeletes: number | null
  channels: ChannelSections
}
