/** What the search of the whole site finds, as the page and the dialog show it. */
import type { Status } from '../core/checks/check.js'
import type { Excerpt } from '../core/text/output/find-in-output.js'

/** Something to open or to do. */
export type FoundOption = {
  label: string
  /** What tells it from others with the same label. */
  detail?: string
} & (
  | { kind: 'page'; path: string }
  | {
      kind: 'check'
      path: string
      uuid: string
      status: Status
      running: boolean
      troubleSince: number | null
    }
  /** A button that sends a form. `leaves`: to another page. */
  | { kind: 'action'; path: string; name?: string; value?: string; leaves?: boolean }
  | { kind: 'copy'; text: string }
)

export interface FoundGroup {
  title: string
  /** How many of all are shown, as `8 of 43`, if some are not. */
  shown?: string
  options: FoundOption[]
}

/** The outputs that have a text. */
export interface FoundOutputs {
  text: string
  outputs: readonly FoundOutput[]
  /** The number of checks whose last outputs were looked at, of all that were pinged, and of outputs that could not be read. */
  looked: number
  checks: number
  unread: number
}

/** An output of a check with a text. `project`: its label, if it is to be shown. */
export interface FoundOutput {
  check: { uuid: string; name: string; status: Status; running: boolean }
  project: string | null
  n: number
  at: number
  excerpt: Excerpt
}
