import type { Check } from './check.js'
import type { ListItem, StateCounts, TagCount } from './check-list.js'
import type { CheckState } from './check-state.js'
import type { Run } from './run-strip.js'

/** A check as a row of a list shows it. */
export type ListedCheck = ListItem &
  Omit<Check, 'status'> & {
    state: CheckState
    /** Whether the last body asks to follow a link, as services do that confirm an address. */
    confirmationLink: boolean
    runs: Run[]
    /** UUIDs of its channels. */
    channels: string[]
  }

/** One page of a project's checks. */
export interface ChecksPage {
  checks: ListedCheck[]
  /** Of all checks of the project, whatever was asked for. */
  counts: StateCounts
  tags: TagCount[]
  /** How many checks the filters let through, and which page of them this is, from 1. */
  found: number
  page: number
  pages: number
}
