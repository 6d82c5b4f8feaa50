import type { Acknowledgement } from '../incidents/listed-incident.js'
import type { Check } from './check.js'
import type { ListItem, StateCounts, TagCount } from './check-list.js'
import type { CheckState } from './check-state.js'
import type { Strip } from './history/run-strip.js'
import type { ListSection } from './list-groups.js'

/** A check as a row of the list. */
export type ListedCheck = ListItem &
  Omit<Check, 'status'> & {
    state: CheckState
    /** Whether the last body asks to open a link, as services do to confirm an address. */
    confirmationLink: boolean
    strip: Strip
    /** Of the last run that a ping ended, if it has one. */
    exitStatus: number | null
    /** Of its open incident; null: there is none, or it has ended. */
    acknowledged: Acknowledgement | null
    /** The UUIDs of its channels. */
    channels: string[]
  }

/** A row of a page: its check, and a text that begins with its trouble and changes whenever the check does. */
export interface ListedRow {
  uuid: string
  /** The UUID of its project. */
  project: string
  fingerprint: string
}

/** The trouble of a check with this fingerprint; see `troubleOf` in check-list.ts. */
export function troubleIn(fingerprint: string): number {
  return Number(fingerprint.split(' ', 1)[0])
}

/** One page of a list of checks. */
export interface ChecksPage {
  sections: ListSection<ListedRow>[]
  /** For all checks of the projects, regardless of the filters. */
  counts: StateCounts
  tags: TagCount[]
  /** The number of checks that match the filters; this page, from 1; and the number of pages. */
  found: number
  page: number
  pages: number
}
